// Where a stop is, as a pin on a small map. It is dragged, put where the map is pressed, or moved by
// the arrow keys; nothing is kept before it is saved.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { lookForStreets, type Streets } from "../kit/streets";
import { t } from "../kit/words";
import { report } from "./day";
import { boxAround, metersBetween, plainGround, shifted, streetGround, type Ground } from "./ground";
import { isViewer } from "./session";
import type { Coordinates } from "./shapes";

const STEP_METERS = 5, LONG_STEP_METERS = 50;
const CLOSE_ZOOM = 17;
const STEPS: Record<string, [east: number, north: number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function StopPin({ name, place, save }: { name: string; place: Coordinates; save: ((place: Coordinates) => Promise<unknown>) | undefined }) {
  const holder = useRef<HTMLDivElement>(null), pin = useRef<HTMLButtonElement>(null);
  const ground = useRef<Ground | null>(null);
  const [streets, setStreets] = useState<Streets | null | undefined>(undefined);
  const [draft, setDraft] = useState<Coordinates | null>(null);
  const [, setView] = useState(0);
  const help = useId();
  const shown = draft ?? place;
  const mayMove = !isViewer.value && save !== undefined;

  useEffect(() => { lookForStreets().then(setStreets, (error: unknown) => { setStreets(null); report(error); }); }, []);
  useEffect(() => { setDraft(null); ground.current?.show(place); }, [place.latitude, place.longitude]);
  useEffect(() => {
    if (streets === undefined) return;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let isGone = false;
    const open = async () => {
      const drawn = streets && await streetGround(holder.current!, streets, boxAround([place]), dark.matches, CLOSE_ZOOM);
      if (isGone || !holder.current) { drawn?.close(); return; }
      const opened = drawn || plainGround(holder.current, boxAround([place]), CLOSE_ZOOM);
      ground.current = opened;
      const redraw = () => setView((before) => before + 1);
      opened.moved(redraw);
      if (mayMove) opened.pressed((at) => setDraft(opened.toPlace(at)));
      redraw();
    };
    const close = () => { ground.current?.close(); ground.current = null; };
    const again = () => { close(); open().catch(report); };
    open().catch(report);
    dark.addEventListener("change", again);
    return () => { isGone = true; dark.removeEventListener("change", again); close(); };
  }, [streets]);

  const size = (): [number, number] => [holder.current?.clientWidth ?? 0, holder.current?.clientHeight ?? 0];
  const isVisible = ([x, y]: [number, number]) => { const [width, height] = size(); return x > 24 && y > 40 && x < width - 24 && y < height - 8; };

  function move(event: KeyboardEvent): void {
    if (event.key === "Escape" && draft) { event.stopPropagation(); setDraft(null); return; }
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const meters = event.shiftKey ? LONG_STEP_METERS : STEP_METERS;
    const to = shifted(shown, step[0] * meters, step[1] * meters);
    setDraft(to);
    if (ground.current && !isVisible(ground.current.toScreen(to))) ground.current.show(to);
  }

  function drag(event: PointerEvent): void {
    const box = holder.current?.getBoundingClientRect();
    if (!box || !ground.current || !pin.current?.hasPointerCapture(event.pointerId)) return;
    const [width, height] = size();
    const at = (value: number, most: number) => Math.min(most, Math.max(0, value));
    setDraft(ground.current.toPlace([at(event.clientX - box.left, width), at(event.clientY - box.top, height)]));
  }

  const at = ground.current?.toScreen(shown);
  const position = at && { left: `${at[0]}px`, top: `${at[1]}px` };
  const picture = <svg viewBox="0 0 32 42" aria-hidden="true"><path d="M16 41C8 29 2 23 2 15a14 14 0 1 1 28 0c0 8-6 14-14 26z" /><circle cx="16" cy="15" r="5" /></svg>;
  return (
    <div class="stop-pin">
      <div class="pin-map">
        <div ref={holder} class="street-map" role="img" aria-label={t("map")} />
        {position && (mayMove
          ? <button ref={pin} type="button" class="pin-mark" style={position} aria-label={t("pinOf", { name })} aria-describedby={help}
              onKeyDown={move} onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); }} onPointerMove={drag}>{picture}</button>
          : <span class="pin-mark" style={position}>{picture}</span>)}
        <div class="zoom">
          <button type="button" aria-label={t("zoomIn")} onClick={() => ground.current?.zoom(1)}>+</button>
          <button type="button" aria-label={t("zoomOut")} onClick={() => ground.current?.zoom(-1)}>−</button>
        </div>
      </div>
      {mayMove && <>
        <p id={help} class="soft">{t("pinHelp", { short: STEP_METERS, long: LONG_STEP_METERS })}</p>
        <div class="actions">
          <span aria-live="polite">{draft ? t("pinMoved", { meters: Math.round(metersBetween(place, draft)) }) : ""}</span>
          {draft && <>
            <button type="button" class="main" onClick={() => { pin.current?.focus(); void save?.(draft); }}>{t("saveLocation")}</button>
            <button type="button" onClick={() => { pin.current?.focus(); setDraft(null); }}>{t("cancel")}</button>
          </>}
        </div>
      </>}
    </div>
  );
}
