// The first page: a client ID and its secret, as the interface has them.
import { Refusal } from "./interface.js";
import { alertBox, make } from "./elements.js";
import { signIn } from "./session.js";

function field(label, attributes) {
  const input = make("input", { required: true, spellcheck: "false", autocapitalize: "off", ...attributes });
  return { input, row: make("label", {}, label, input) };
}

export function showSignIn(view, why, whenIn) {
  const client = field("Client ID", { name: "username", autocomplete: "username" });
  const secret = field("Client secret", { name: "password", type: "password", autocomplete: "current-password" });
  const button = make("button", { class: "main" }, "Sign in");
  const trouble = make("div", {}, why ? alertBox(why.title, why.words) : "");

  async function submit(event) {
    event.preventDefault();
    trouble.replaceChildren();
    button.disabled = true;
    button.textContent = "Signing in\u2026";
    try {
      await signIn(client.input.value.trim(), secret.input.value.trim());
      whenIn();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      trouble.replaceChildren(alertBox(error.title, error.words));
      secret.input.focus();
    } finally {
      button.disabled = false;
      button.textContent = "Sign in";
    }
  }

  const form = make("form", { method: "post", submit }, client.row, secret.row, button);
  view.replaceChildren(make("section", { class: "page narrow" },
    make("h1", { tabindex: "-1" }, "Sign in"),
    make("p", {}, "With the credentials of your organization\u2019s interface. Whoever runs the server makes them with ", make("code", {}, "roundsman credentials create"), "; the demo prints its own."),
    trouble, form,
    make("p", { class: "soft" }, "You stay signed in in this tab only. The secret is sent to this server and never stored."),
  ));
  client.input.focus();
}
