// The first page: a member signs in with an e-mail address and a password, or a program's
// credentials are used.
import { Refusal } from "./interface.js";
import { alertBox, make } from "./elements.js";
import { signIn, signInMember } from "./session.js";

function field(label, attributes) {
  const input = make("input", { required: true, spellcheck: "false", autocapitalize: "off", ...attributes });
  return { input, row: make("label", {}, label, input) };
}

// A form whose button says what is going on; `enter` signs in or throws a Refusal.
function signInForm(view, why, { rows, first, words, other, enter, whenIn }) {
  const button = make("button", { class: "main" }, "Sign in");
  const trouble = make("div", {}, why ? alertBox(why.title, why.words) : "");

  async function submit(event) {
    event.preventDefault();
    trouble.replaceChildren();
    button.disabled = true;
    button.textContent = "Signing in\u2026";
    try {
      await enter();
      whenIn();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      trouble.replaceChildren(alertBox(error.title, error.words));
    } finally {
      button.disabled = false;
      button.textContent = "Sign in";
    }
  }

  view.replaceChildren(make("section", { class: "page narrow" },
    make("h1", { tabindex: "-1" }, "Sign in"),
    trouble, make("form", { method: "post", submit }, ...rows, button),
    make("p", { class: "soft" }, ...words), other,
  ));
  first.focus();
}

const otherWay = (label, click) => make("p", {}, make("a", { href: "#/", click: (event) => { event.preventDefault(); click(); } }, label));

export function showSignIn(view, why, whenIn) {
  const email = field("E-mail", { name: "username", type: "email", autocomplete: "username" });
  const password = field("Password", { name: "password", type: "password", autocomplete: "current-password" });
  const choice = make("select", { name: "organization" });
  const organization = make("label", { hidden: true }, "Organization", choice);

  async function enter() {
    try {
      await signInMember(email.input.value.trim(), password.input.value, organization.hidden ? "" : choice.value);
    } catch (error) {
      if (error instanceof Refusal && error.kind === "organization") {
        choice.replaceChildren(...error.organizations.map((one) => make("option", { value: one }, one)));
        organization.hidden = false;
        choice.focus();
      } else if (error instanceof Refusal) {
        password.input.focus();
      }
      throw error;
    }
  }

  signInForm(view, why, {
    rows: [email.row, password.row, organization], first: email.input, enter, whenIn,
    words: ["Whoever plans with you can invite you; whoever runs the server does it with ", make("code", {}, "roundsman member invite"), "."],
    other: otherWay("Use API credentials", () => showClientSignIn(view, null, whenIn)),
  });
}

function showClientSignIn(view, why, whenIn) {
  const client = field("Client ID", { name: "username", autocomplete: "username" });
  const secret = field("Client secret", { name: "password", type: "password", autocomplete: "current-password" });

  async function enter() {
    try {
      await signIn(client.input.value.trim(), secret.input.value.trim());
    } catch (error) {
      if (error instanceof Refusal) secret.input.focus();
      throw error;
    }
  }

  signInForm(view, why, {
    rows: [client.row, secret.row], first: client.input, enter, whenIn,
    words: ["With the credentials of your organization\u2019s interface. You stay signed in in this tab only; the secret is sent to this server and never stored."],
    other: otherWay("Use e-mail and password", () => showSignIn(view, null, whenIn)),
  });
}
