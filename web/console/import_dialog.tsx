// A spreadsheet becomes stops: its columns are guessed and can be chosen, each row says what it is.
import { useRef, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { Refusal, wordsOf } from "../kit/http";
import { t } from "../kit/words";
import { notice, readAll } from "./day";
import { closeDialog, Failure, Field } from "./dialogs";
import { call } from "./session";
import { nameOfStop, sayAddress, type ImportedStop } from "./shapes";

interface Review {
  stops: ImportedStop[];
  rejectedRows: { row: number; column: string; reason: string }[];
  rows?: number[];
  warnings: { index?: number; field?: string; message: string }[];
  columns: { header: string; field: string }[];
  fields?: string[];
}

const SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

// What the planner has chosen, by header; "" is a column that is not read. The rest is guessed.
type Choices = ReadonlyMap<string, string>;

function parametersOf(chosen: Choices): [string, string][] {
  const ignored = [...chosen].filter(([, field]) => !field);
  return [
    ...[...chosen].filter(([, field]) => field).map(([header, field]): [string, string] => [`query.column.${field}`, header]),
    ...ignored.map(([header], number): [string, string] => [`query.ignored.${number + 1}`, header]),
  ];
}

export function ImportDialog({ date }: { date: string }) {
  const [file, setFile] = useState<File | null>(null);
  const [review, setReview] = useState<Review | null>(null);
  const [chosen, setChosen] = useState<Choices>(new Map());
  const wanted = useRef<Choices>(new Map()); // `chosen`, before it is drawn: two choices may come at once
  const latest = useRef(0); // which request was the last: answers to those before are old
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);

  async function post(from: File, choices: Choices, isDryRun: boolean): Promise<Review | null> {
    const query = new URLSearchParams([["query.partial", "true"], ["query.deliveryDate", date], ...parametersOf(choices)]);
    if (isDryRun) query.set("query.dryRun", "true");
    const mine = latest.current += 1;
    setBusy(true);
    setTrouble("");
    try {
      const type = /\.xlsx$/i.test(from.name) ? SHEET : "text/csv";
      const { body } = await call<Review>(`/stops/imports?${query}`, { method: "POST", body: new Blob([await from.arrayBuffer()], { type }) });
      return mine === latest.current ? body : null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (mine === latest.current) setTrouble(wordsOf(error));
      return null;
    } finally {
      if (mine === latest.current) setBusy(false);
    }
  }

  async function choose(from: File | undefined): Promise<void> {
    if (!from) return;
    setFile(from);
    setReview(null);
    setChosen(wanted.current = new Map());
    const found = await post(from, wanted.current, true);
    if (found) setReview(found);
  }

  async function assign(header: string, field: string): Promise<void> {
    if (!file) return;
    const before = wanted.current;
    const others = [...before].filter(([one, known]) => one !== header && (known !== field || !field));
    const choices = new Map([...others, [header, field]]);
    setChosen(wanted.current = choices);
    const found = await post(file, choices, true);
    if (found) setReview(found);
    else if (wanted.current === choices) setChosen(wanted.current = before); // it was refused
  }

  // Imported is what the rows below show: the same choices are sent.
  async function store(): Promise<void> {
    if (!file) return;
    const done = await post(file, wanted.current, false);
    if (!done) return;
    closeDialog();
    notice.value = t("imported", { count: done.stops.length });
    await readAll();
  }

  return (
    <Dialog title={t("importTitle")} close={closeDialog} wide>
      <Failure words={trouble} />
      <Field label={t("spreadsheet")}><input type="file" accept=".csv,.xlsx,text/csv" onChange={(event) => void choose(event.currentTarget.files?.[0])} /></Field>
      <p class="soft">{t("importHint")}</p>
      {review && <>
        <div class="table-holder">
          <table aria-label={t("columns")}>
            <thead><tr>{review.columns.map(({ header }, index) => <th key={index}>{header}</th>)}</tr></thead>
            <tbody><tr>{review.columns.map(({ header, field }, index) => (
              <td key={index}>
                <select aria-label={header} value={chosen.get(header) ?? field} onChange={(event) => void assign(header, event.currentTarget.value)}>
                  <option value="">{t("ignored")}</option>
                  {(review.fields ?? []).map((one) => <option key={one} value={one}>{one}</option>)}
                </select>
              </td>
            ))}</tr></tbody>
          </table>
        </div>
        <div class="table-holder tall">
          <table aria-label={t("rows")}>
            <thead><tr><th>{t("row")}</th><th>{t("stop")}</th><th>{t("state")}</th><th>{t("reason")}</th></tr></thead>
            <tbody>
              {review.rejectedRows.map((one) => <tr key={`${one.row} ${one.column}`} class="late"><td>{one.row}</td><td /><td>{t("rowRefused")}</td><td>{[one.column, one.reason].filter(Boolean).join(": ")}</td></tr>)}
              {review.stops.map((stop, index) => {
                const warnings = review.warnings.filter((one) => one.index === index);
                return (
                  <tr key={index}><td>{review.rows?.[index]}</td><td>{nameOfStop(stop)} <span class="soft">{sayAddress(stop.address)}</span></td><td>{t(warnings.length ? "rowWarning" : "rowReady")}</td>
                    <td>{warnings.map((one) => [one.field, one.message].filter(Boolean).join(": ")).join("; ")}</td></tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </>}
      <div class="buttons">
        <button type="button" onClick={closeDialog}>{t("cancel")}</button>
        <button type="button" class="main" disabled={isBusy || !review?.stops.length} onClick={() => void store()}>{t("importCount", { count: review?.stops.length ?? 0 })}</button>
      </div>
    </Dialog>
  );
}
