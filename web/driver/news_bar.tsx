// What a planner has changed since the driver looked last, on every screen. It lies over the lower
// edge, so that nothing moves, and for a moment lets through a tap that was meant for what it covers.
import { newsAbout, seeNews } from "./app";
import type { News } from "./news";
import { go, parts, routeAddress } from "./places";
import { routeUnderWay } from "./position";
import { t } from "./words";

function say({ moved, added, removed }: News): string {
  const what = [moved && t("moved", { count: moved }), added && t("added", { count: added }), removed && t("removed", { count: removed })];
  return t("plannerChanged", { what: what.filter(Boolean).join(", ") });
}

// The text stays where it is from screen to screen: a screen reader says it once, and again when it changes.
export function NewsBar() {
  const [first, second = ""] = parts.value;
  const id = first === "route" ? second : routeUnderWay();
  const news = newsAbout(id);
  const show = () => { void seeNews(id); go(routeAddress(id)); };
  return (
    <div class={news ? "news" : ""}>
      <span aria-live="polite">{news ? say(news) : ""}</span>
      {news && <button type="button" onClick={show}>{t("show")}</button>}
    </div>
  );
}
