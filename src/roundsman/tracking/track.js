// Keeps a customer's page fresh: asks now and then whether something has changed, and shows it.
// The words come from the server, and forms stay as they are being filled in.
"use strict";

(() => {
  const page = location.pathname;
  let known = "";
  let failures = 0;

  const section = () => document.getElementById("delivery");
  const seconds = () => Number(section().dataset.every);

  // Without a status the page is over or replaced; nobody has to be asked any more.
  const plan = () => {
    if (seconds() > 0) {
      setTimeout(look, seconds() * 1000 * Math.min(8, 2 ** failures));
    }
  };

  const look = async () => {
    if (document.hidden) {
      plan();
      return;
    }
    try {
      await renew();
      failures = 0;
    } catch {
      failures += 1; // no network, or too many questions: asked less often, until it works again
    }
    plan();
  };

  const renew = async () => {
    const answer = await fetch(`${page}.json`, { credentials: "omit", cache: "no-store" });
    if (!answer.ok) {
      throw new Error(String(answer.status));
    }
    const text = await answer.text();
    if (text === known) {
      return;
    }
    const fresh = await fetch(page, { headers: { Accept: "text/html" }, credentials: "omit", cache: "no-store" });
    if (!fresh.ok) {
      throw new Error(String(fresh.status));
    }
    const next = new DOMParser().parseFromString(await fresh.text(), "text/html");
    const fresher = next.getElementById("delivery");
    if (fresher === null) {
      throw new Error("no delivery");
    }
    const before = section();
    const was = before.querySelector(".status").textContent;
    before.replaceChildren(...fresher.childNodes);
    before.dataset.every = fresher.dataset.every;
    document.title = next.title;
    // A form that came or went with the status; one that stays may be half filled in.
    if (before.querySelector(".status").textContent !== was) {
      showForms(next);
    }
    known = text;
  };

  const showForms = (next) => {
    const main = document.querySelector("main");
    const wanted = [...next.querySelectorAll("form")].map((form) => form.getAttribute("action"));
    for (const form of main.querySelectorAll("form")) {
      if (!wanted.includes(form.getAttribute("action"))) {
        form.closest("section").remove();
      }
    }
    for (const form of next.querySelectorAll("form")) {
      if (!main.querySelector(`form[action="${form.getAttribute("action")}"]`)) {
        main.append(form.closest("section"));
      }
    }
  };

  plan();
})();
