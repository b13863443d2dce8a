// The driver's app: one page, its screens by the address behind the #.
import { effect } from "@preact/signals";
import { render } from "preact";
import { vouchForWorkers } from "../kit/trusted";
import { goOn, keepOpened, list, openStore, phase, session, whenRouteLoaded } from "./app";
import { keepArea } from "./area";
import { NewsBar } from "./news_bar";
import { followPosition, routeUnderWay } from "./position";
import { endPumps } from "./pumps";
import { stayTold } from "./pushes";
import { go, parts, path, routeAddress } from "./places";
import { RoutePage } from "./route_page";
import { RoutesPage } from "./routes_page";
import { restoreSession } from "./signing_in";
import { NobodySignedIn, SignUp, inviteToken } from "./sign_up";
import { Notices, StatusLine, UndoBar } from "./status_line";
import { StopPage } from "./stop_page";
import { SyncPage } from "./sync_page";
import { takeOver } from "./one_tab";
import { chooseLanguage, t } from "./words";

const WORKER = "/driver/worker.js";

function App() {
  switch (phase.value) {
    case "starting": return <main><p>{t("loading")}</p></main>;
    case "insecure": return <main><p role="alert" class="alert">{t("needsHttps")}</p></main>;
    case "noStorage": return <main><p role="alert" class="alert">{t("storageFails")}</p></main>;
    case "lost": return <main><p role="alert" class="alert">{t("storageLost")}</p><button type="button" class="main" onClick={() => { location.reload(); }}>{t("reload")}</button></main>;
    case "elsewhere": return <main><h1>{t("elsewhere")}</h1><p>{t("elsewhereHint")}</p><button type="button" class="main" onClick={() => { void begin(true); }}>{t("useHere")}</button></main>;
    default: return <Signed />;
  }
}

function Signed() {
  const token = inviteToken.value;
  if (token) return <main><SignUp token={token} done={leaveInvite} /></main>;
  if (!session.value) return <main><NobodySignedIn /></main>;
  return (
    <>
      <header><StatusLine /></header>
      <main><Notices /><Screen /></main>
      <div class="bars"><NewsBar /><UndoBar /></div>
    </>
  );
}

function leaveInvite(): void {
  history.replaceState(null, "", "/driver");
  inviteToken.value = "";
  go("#/routes");
}

function Screen() {
  const [first, second = "", third, fourth = ""] = parts.value;
  if (first === "sync") return <SyncPage />;
  if (first === "route" && third === "stop") return <StopPage key={fourth} routeId={second} stopId={fourth} />;
  if (first === "route") return <RoutePage key={second} id={second} />;
  return <RoutesPage />;
}

// A cold start opens the route that is under way.
function openFirst(): void {
  const underWay = routeUnderWay();
  if (!path.value && !inviteToken.value && underWay && list.value.length) go(routeAddress(underWay));
}

// Also of the route of a stop that is open.
function followOpened(): void {
  effect(() => {
    const [first, routeId] = parts.value;
    if (first === "route" && routeId && session.value) keepOpened(routeId).catch((error: unknown) => { console.warn(error); }); // then the first one is opened
  });
}

async function begin(isForced = false): Promise<void> {
  if (!window.isSecureContext) { phase.value = "insecure"; return; }
  if (!await takeOver(isForced, () => { phase.value = "elsewhere"; endPumps(); })) { phase.value = "elsewhere"; return; }
  try {
    await openStore();
  } catch (error) {
    console.error(error);
    phase.value = "noStorage";
    return;
  }
  openFirst();
  phase.value = "ready";
  goOn();
  followOpened();
  followPosition();
  whenRouteLoaded((route) => { keepArea(route).catch((error: unknown) => { console.warn(error); }); }); // the route itself is there
  if (!session.value && !inviteToken.value) await restoreSession();
}

async function start(): Promise<void> {
  // At once: the form that an invite's page shows without a script must not be sent by chance.
  const root = document.getElementById("app")!;
  root.replaceChildren();
  render(<App />, root);
  // Words that do not arrive leave English: whoever drives can go on.
  await chooseLanguage().catch((error: unknown) => { console.warn(error); });
  await begin();
  vouchForWorkers(WORKER);
  if ("serviceWorker" in navigator) await navigator.serviceWorker.register(WORKER, { scope: "/driver" });
  stayTold();
}

void start();
