// Making elements. What people typed only ever becomes text: nothing here takes markup.

// `attributes` may hold functions, which are listeners: {click: …}. Children are elements or text;
// what is null, undefined or "" is left out.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

// Tell whoever listens to the page what they cannot see happen.
export function tell(words) {
  document.getElementById("told").textContent = words;
}

// What went wrong, in a box that is read out at once, with a way on where there is one.
export function alertBox(title, words, again) {
  const box = make("div", { class: "alert", role: "alert" }, make("b", {}, title), make("p", {}, words));
  if (again) box.append(make("button", { type: "button", click: again }, "Try again"));
  return box;
}

// That what is shown could not be renewed and since when it is old. The same is not read out twice.
export function sayOld(notice, { title, words }, since, again) {
  const box = alertBox(title, `${words} What stands below is old: it is as of ${since}.`, again);
  if (notice.textContent !== box.textContent) notice.replaceChildren(box);
}

export const estimatedMark = () => make("span", { class: "mark", title: "Some times and distances are estimates, not from real roads" }, "Estimated");

// Work that a press of a button began: who shows the pages must hear of a session that is over.
export const followed = (view) => (work) => work.catch((error) => view.dispatchEvent(new CustomEvent("failed", { detail: error })));

// Put other children in; who stood on one of its links or buttons stands on the same one after.
export function renew(element, ...children) {
  const keyOf = (step) => step.dataset.key ?? step.getAttribute("href");
  const key = element.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  element.replaceChildren(...children);
  if (key) [...element.querySelectorAll("a, button")].find((step) => keyOf(step) === key)?.focus({ preventScroll: true });
}
