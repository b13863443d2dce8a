// The planner's console: one page, its screens by the address behind the #.
import { effect, untracked } from "@preact/signals";
import "@preact/signals";
import { render } from "preact";
import { decoded } from "../kit/addresses";
import { useMenu } from "../kit/menu";
import { chooseLanguage, locale, t } from "../kit/words";
import { dayAt, isDay, knownZone, sayTime } from "../kit/times";
import { date, day, follow, forgetAhead, forgetDay, isLive, notice, readAhead, readDay, report, seenAt, shownOfDay, today, trouble, unfollow } from "./day";
import { DayPage } from "./day_page";
import { closeDialog, DialogHost } from "./dialogs";
import { forgetEdits } from "./edits";
import { leftRows } from "./import_dialog";
import { ExceptionsPage } from "./exceptions";
import { openKeys } from "./keys";
import { LooseOrderPage } from "./loose_order";
import { DriversPage, VehiclesPage } from "./people";
import { path } from "./places";
import { ReportsPage } from "./reports";
import { RoutePage } from "./route_page";
import { SelectionBar } from "./selection";
import { isOver, isViewer, planner, resume, session, signOut, zone } from "./session";
import { SettingsPage } from "./settings";
import { ShopOrdersPage } from "./shop_orders";
import { SignInAgain, SignInPage } from "./sign_in";
import { UnroutedStopPage } from "./stop_page";

const NOTICE_MS = 6_000;
const LONGEST_BLANK_MS = 150;

function App() {
  if (!session.value) return <SignInPage />;
  return (
    <>
      <Header />
      {trouble.value && (
        <div role="alert" class="alert floating">{trouble.value} <button type="button" class="quiet" aria-label={t("close")} onClick={() => { trouble.value = ""; }}>×</button></div>
      )}
      <main><Screen /></main>
      {!isViewer.value && <SelectionBar />}
      <StatusLine />
      <DialogHost />
      {isOver.value && <SignInAgain />}
    </>
  );
}

function Screen() {
  const [first, second, third, fourth] = path.value.split("/");
  if ((first === "day" || first === "exceptions") && second && !isDay(second)) return <NoPage />;
  switch (first) {
    case "": case "day": return <DayPage />;
    case "route": return <RoutePage key={second} id={second ?? ""} stopId={third === "stop" ? fourth ?? "" : ""} />;
    case "order": return <LooseOrderPage key={second} id={decoded(second ?? "")} />;
    case "unrouted": return <UnroutedStopPage key={second} id={second ?? ""} />;
    case "drivers": return <DriversPage />;
    case "vehicles": return <VehiclesPage />;
    case "exceptions": return <ExceptionsPage />;
    case "orders": return <ShopOrdersPage />;
    case "reports": return <ReportsPage />;
    case "settings": return <SettingsPage />;
    default: return <NoPage />;
  }
}

// Of an address that was typed wrong: another page under it would look like what was asked for.
function NoPage() {
  return (
    <section class="page" aria-labelledby="no-page">
      <h1 id="no-page">{t("noSuchPage")}</h1>
      <p><a href={`#/day/${today()}`}>{t("today")}</a></p>
    </section>
  );
}

function Header() {
  const [isOpen, setOpen] = useMenu();
  const who = session.value!;
  const name = who.member ? who.member.name || who.member.email : t("apiCredentialsName");
  return (
    <header class="bar">
      <a class="home" href="#/">Roundsman</a>
      <span class="whose">{who.organization.name}</span>
      <nav aria-label={t("mainNavigation")}>
        {([["", "day"], ["drivers", "drivers"], ["vehicles", "vehicles"], ["orders", "shopOrdersPage"], ["exceptions", "exceptions"], ["reports", "reports"], ["settings", "settings"]] as const).map(([to, key]) => (
          <a key={key} href={key === "day" ? `#/day/${date.value}` : `#/${to}`} aria-current={(path.value.split("/")[0] || "day") === key ? "page" : undefined}>{t(key)}</a>
        ))}
      </nav>
      <span class="spacer" />
      {isViewer.value && <span class="soft">{t("viewOnly")}</span>}
      <span class="menu-holder">
        <button type="button" class="quiet" aria-haspopup="menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>{name}</button>
        {isOpen && <span role="menu" class="menu"><button type="button" role="menuitem" onClick={() => { setOpen(false); openKeys(); }}>{t("keys")}</button><button type="button" role="menuitem" onClick={() => { setOpen(false); void signOut(); }}>{t("signOut")}</button></span>}
      </span>
    </header>
  );
}

// Below everything, in a place of its own: what was done is said there and lies over nothing that
// could be pressed or read.
function StatusLine() {
  const shown = sayTime(new Date(seenAt.value || Date.now()).toISOString(), zone.value, locale.value);
  return (
    <footer class="status-line">
      <span role="status" class={isLive.value ? "live" : "stale"}>{isLive.value ? t("live") : day.value ? t("asOf", { time: shown }) : t("connecting")}</span>
      <p role="log">{notice.value}</p>
    </footer>
  );
}

// Who signs in has nothing of whoever planned here before, and follows the organization's changes
// until the session is over.
let known = "";
effect(() => {
  const isAnother = known !== "" && planner.value !== known;
  const isFollowing = planner.value !== "" && !isOver.value;
  known = planner.value;
  if (isAnother) {
    forgetEdits();
    forgetDay();
    leftRows.value = null;
    closeDialog();
    trouble.value = "";
  }
  unfollow();
  if (isFollowing) untracked(follow);
});

// The day that the address names, if it names one.
function dayOfAddress(): string | null {
  const [first, second] = path.value.split("/");
  return (first === "day" || first === "exceptions") && second && isDay(second) ? second : null;
}

// Whose page works on the day of what it shows, which is known when that is read.
const isOfOwnDay = () => /^(route|unrouted|order)\//.test(path.value);

// Who opens a day comes back to it from pages of other days that he only passes by.
let chosen = "";

function wantedDay(): string {
  const [first, second] = path.value.split("/");
  if (dayOfAddress() || first === "" || first === "day") return chosen = dayOfAddress() ?? today();
  if (isOfOwnDay()) {
    const shown = shownOfDay.value;
    if (shown?.id !== decoded(second ?? "")) return date.value;
    if (shown?.day) return shown.day;
  }
  return chosen || date.value || today();
}

effect(() => {
  if (!session.value) return;
  const wanted = wantedDay();
  if (wanted !== date.value) {
    date.value = wanted;
    day.value = null;
  }
});

// Whatever screen is opened, the day is read anew: a session that is over shows at once.
effect(() => {
  void path.value;
  if (session.value && date.value) void readDay();
});

// What was open or refused on one screen is nothing of the next.
effect(() => {
  void path.value;
  closeDialog();
  trouble.value = "";
});

// What was refused is over when a form is sent anew.
addEventListener("submit", () => { trouble.value = ""; }, true);

// What was done is said for as long as it takes to read it.
effect(() => {
  if (!notice.value) return undefined;
  const timer = setTimeout(() => { notice.value = ""; }, NOTICE_MS);
  return () => clearTimeout(timer);
});

async function begin(): Promise<void> {
  const begun = resume();
  const named = dayOfAddress();
  const ahead = named ? readAhead(named) : null;
  // The first use of Intl takes a browser a while, in which the answers are on their way. The clocks
  // of the browser are mostly those of the organization, too.
  const here = dayAt(Date.now(), knownZone(Intl.DateTimeFormat().resolvedOptions().timeZone));
  const answered = ahead ?? (isOfOwnDay() ? null : readAhead(here));
  // Words that do not arrive leave English: whoever plans can go on.
  const words = chooseLanguage().catch((error: unknown) => { console.warn(error); });
  try {
    await begun;
  } catch (error) {
    report(error);
  }
  if (!session.value) forgetAhead();
  await words;
  // A day that comes at once is rendered with the page and not after it.
  await Promise.race([answered, new Promise((resolve) => { setTimeout(resolve, LONGEST_BLANK_MS); })]);
  const root = document.getElementById("app")!;
  root.replaceChildren();
  render(<App />, root);
}

void begin();
