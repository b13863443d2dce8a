// Keeping what is shown young: it is renewed once a minute while somebody can see it, and at once when
// they come back to what is older. Whoever comes to the tab in the morning does not look at the evening.

const A_MINUTE = 60_000;

// Call `renew` until the signal says that the page was left; `shownAt` says when it last succeeded.
export function keepFresh(renew, shownAt, signal) {
  const timer = setInterval(() => { if (!document.hidden) renew(); }, A_MINUTE);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - shownAt() >= A_MINUTE) renew();
  }, { signal });
}
