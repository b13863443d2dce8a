// Which page is shown. Addresses stand behind the #, so that no server and no log ever sees them.
import { showDay, showUndated, today } from "./board.js";
import { Refusal } from "./interface.js";
import { showRoute } from "./route.js";
import { forget, member, organization, resume, signOut } from "./session.js";
import { showSignIn } from "./sign_in.js";
import { alertBox, make } from "./elements.js";
import { isDay } from "./times.js";

const view = document.getElementById("view");
const whose = document.getElementById("whose");
const leave = document.getElementById("leave");
const account = document.getElementById("account");
const menu = document.getElementById("menu");
const viewOnly = document.getElementById("view-only");
let leaving = new AbortController();

function pageOf(hash) {
  const [, kind, rest = ""] = hash.replace(/^#/, "").split("/");
  if (kind === "undated") return (signal) => showUndated(view, signal);
  if (kind === "route" && rest) return (signal) => showRoute(view, rest, signal);
  const day = kind === "day" && isDay(rest) ? rest : today();
  return (signal) => showDay(view, day, signal);
}

function showBar() {
  const { name } = organization() ?? {};
  whose.textContent = name ?? "";
  leave.hidden = !name || member() !== null;
  account.parentElement.hidden = member() === null;
  account.textContent = member()?.name || member()?.email || "";
  viewOnly.hidden = member()?.role !== "VIEWER";
  openMenu(false);
  document.title = name ? `${name} \u00b7 Roundsman` : "Sign in \u00b7 Roundsman";
}

function signInFirst(why) {
  leaving.abort();
  showBar();
  showSignIn(view, why, show);
}

function fail(error) {
  if (error?.name === "AbortError") return;
  if (error instanceof Refusal && error.kind === "session") {
    forget();
    signInFirst(error);
    return;
  }
  const words = alertBox("Something went wrong on this page.", "Loading it again may help.", () => location.reload());
  view.replaceChildren(make("section", { class: "page" }, words));
  throw error;
}

async function show() {
  leaving.abort();
  leaving = new AbortController();
  if (!organization()) return signInFirst(null);
  showBar();
  const shown = pageOf(location.hash)(leaving.signal);
  view.querySelector("h1")?.focus({ preventScroll: true });
  return shown.catch(fail);
}

view.addEventListener("failed", ({ detail }) => fail(detail));
function openMenu(open) {
  menu.hidden = !open;
  account.setAttribute("aria-expanded", String(open));
  if (open) menu.querySelector("button").focus();
}

function leaveNow() {
  signOut();
  signInFirst(null);
}

window.addEventListener("hashchange", show);
leave.addEventListener("click", leaveNow);
menu.querySelector("button").addEventListener("click", leaveNow);
account.addEventListener("click", () => openMenu(menu.hidden));
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || menu.hidden) return;
  openMenu(false);
  account.focus();
});
document.addEventListener("click", ({ target }) => { if (!account.parentElement.contains(target)) openMenu(false); });
resume().then(show, fail);
