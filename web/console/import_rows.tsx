// The rows of a spreadsheet: those that are refused with a field to mend each cell at fault, then the others.
import { useState } from "preact/hooks";
import { useGrowing } from "../kit/windowed";
import { t } from "../kit/words";
import { isDoubtful } from "./day";
import { columnsAtFault, columnsToMend, sayWarning, type Checked, type Column, type Fault, type Mends, type RefusedRow, type Review } from "./import_mends";
import { nameOfStop, sayAddress, type ImportedStop } from "./shapes";
import { Doubt } from "./stop_items";

const REFUSED_AT_ONCE = 40; // each may have a field for every column

const sayFaults = (faults: readonly Fault[]) => faults.map(({ column, reason }) => [column, reason].filter(Boolean).join(": ")).join("; ");

interface RefusedProps {
  refused: readonly RefusedRow[]; columns: readonly Column[]; mends: Mends; checked: ReadonlyMap<number, Checked>;
  isWaiting: boolean; isLocked: boolean; mend: (row: RefusedRow, column: number, text: string) => void;
}

export function Rows({ review, isStored, ...given }: RefusedProps & { review: Review; isStored: boolean }) {
  const [made, rest] = useGrowing<HTMLTableRowElement>(given.refused.length, REFUSED_AT_ONCE);
  const warnings = new Map<number, Fault[]>();
  for (const { index = -1, ...warning } of review.warnings) warnings.set(index, [...(warnings.get(index) ?? []), sayWarning(warning)]);
  return (
    <table aria-label={t("rows")} class="sheet-rows">
      <thead><tr><th>{t("row")}</th><th>{t("stop")}</th><th>{t("state")}</th><th>{t("reason")}</th></tr></thead>
      <tbody>
        {given.refused.slice(0, made).map((one) => <Refused key={`refused ${one.row}`} one={one} {...given} />)}
        {made < given.refused.length && <tr ref={rest}><td colSpan={4}>…</td></tr>}
        {!isStored && review.stops.map((stop, index) => {
          const doubts = warnings.get(index) ?? [];
          const matchType = stop.geocoding?.matchType;
          return <tr key={index}><td>{review.rows?.[index]}</td><td><Stop stop={stop} /></td><td>{t(doubts.length || isDoubtful(matchType) ? "rowWarning" : "rowReady")}</td><td>{sayFaults(doubts)} <Doubt matchType={matchType} /></td></tr>;
        })}
      </tbody>
    </table>
  );
}

const Stop = ({ stop }: { stop: ImportedStop }) => <>{nameOfStop(stop)} <span class="soft">{sayAddress(stop.address)}</span></>;

function Refused({ one, columns, mends, checked, isWaiting, isLocked, mend }: RefusedProps & { one: RefusedRow }) {
  const found = checked.get(one.row);
  const mended = mends.get(one.row);
  const faults = found?.faults ?? one.faults;
  const atFault = new Set(faults.flatMap((fault) => columnsAtFault(columns, fault)));
  const offered = new Set([...columnsToMend(columns, one, [...one.faults, ...faults]), ...(mended?.keys() ?? [])]);
  const isAsked = isWaiting && Boolean(mended?.size) && !found;
  const state = isAsked ? t("loading") : t(faults.length ? "rowRefused" : found?.warnings.length ? "rowWarning" : "rowReady");
  const reason = `reason-${one.row}`;
  return (
    <tr class={faults.length ? "late" : ""}>
      <td>{one.row}</td>
      <td>{found?.stop ? <Stop stop={found.stop} /> : <span class="soft">{one.cells.filter(Boolean).join(" · ")}</span>}</td>
      <td aria-live="polite">{state}</td>
      <td class="mend">
        <p id={reason}>{sayFaults(faults.length ? faults : found?.warnings ?? [])}</p>
        {offered.size > 0 && <div class="cells">{columns.map(({ header }, index) => offered.has(index) && (
          <Cell key={index} header={header} row={one.row} text={mended?.get(index) ?? one.cells[index] ?? ""} reason={reason}
            isWrong={atFault.has(index)} isLocked={isLocked} mend={(text) => mend(one, index, text)} />
        ))}</div>}
      </td>
    </tr>
  );
}

interface CellProps { header: string; row: number; text: string; reason: string; isWrong: boolean; isLocked: boolean; mend: (text: string) => void }

// Keeps what is being typed to itself: an answer about another row must not take it away.
function Cell({ header, row, text, reason, isWrong, isLocked, mend }: CellProps) {
  const [typed, setTyped] = useState(text);
  return (
    <label><span aria-hidden="true">{header}</span>
      <input value={typed} aria-label={t("cellInRow", { header, row })} aria-invalid={isWrong} aria-describedby={reason} disabled={isLocked} autocomplete="off"
        onInput={(event) => setTyped(event.currentTarget.value)} onChange={(event) => mend(event.currentTarget.value)} />
    </label>
  );
}
