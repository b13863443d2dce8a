// A spreadsheet becomes stops: its columns are guessed and can be chosen, each row says what it is, and
// what is wrong in a refused row can be mended. The good rows of the file are imported as they stand in
// it, mended ones behind them by a request of their own.
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog";
import { isUnanswered, newKey, Refusal, wordsOf } from "../kit/http";
import { locale, t } from "../kit/words";
import { isDoubtful, notice, readAll, report } from "./day";
import { closeDialog, Failure, Field } from "./dialogs";
import { forgetting } from "./edits";
import { judgeRows, refusedRows, rowsToCheck, writeRows, type Checked, type Mends, type Review } from "./import_mends";
import { Rows } from "./import_rows";
import { call } from "./session";

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

const nameOfCountry = (code: string) => new Intl.DisplayNames([locale.value], { type: "region" }).of(code) ?? code;

interface Sent { path: string; body: Blob; key: string }

// Imports of which nobody knows whether they were done, though their dialog was closed since.
const unansweredImports = new Set<Sent>();

async function isSameFile(one: Blob, other: Blob): Promise<boolean> {
  if (one.size !== other.size) return false;
  const [here, there] = [new Uint8Array(await one.arrayBuffer()), new Uint8Array(await other.arrayBuffer())];
  return here.every((byte, at) => byte === there[at]);
}

async function sentBefore(path: string, body: Blob): Promise<Sent | null> {
  for (const sent of unansweredImports) if (sent.path === path && await isSameFile(sent.body, body)) return sent;
  return null;
}

const NOTHING_CHECKED: ReadonlyMap<number, Checked> = new Map();

// What the last import left out, as it stood in the dialog, until it is imported or another file is.
export interface LeftRows {
  date: string; file: File; review: Review; chosen: Choices; mends: Mends; checked: ReadonlyMap<number, Checked>; stored: number;
  unanswered: Sent | null; // an import of which nobody knows whether it was done
}

export const leftRows = signal<LeftRows | null>(null);

export function ImportDialog({ date, left = null }: { date: string; left?: LeftRows | null }) {
  const [file, setFile] = useState<File | null>(left?.file ?? null);
  const [review, setReview] = useState<Review | null>(left?.review ?? null);
  const [chosen, setChosen] = useState<Choices>(left?.chosen ?? new Map());
  const [mends, setMends] = useState<Mends>(left?.mends ?? new Map());
  const [checked, setChecked] = useState(left?.checked ?? NOTHING_CHECKED);
  const [stored, setStored] = useState<number | null>(left?.stored ?? null); // how many rows of the file are imported already
  const [trouble, setTrouble] = useState("");
  const [waiting, setWaiting] = useState(0);
  const [isLocked, setLocked] = useState(Boolean(left?.unanswered));
  const [table, setTable] = useState(0); // counts files and headers, each of which has fields of its own
  // What is meant before it is drawn: two changes may come at once.
  const wanted = useRef(chosen);
  const written = useRef(mends);
  const shown = useRef(review);
  const latest = useRef({ file: 0, rows: 0 }); // which request was the last: answers to those before are old
  const isStoring = useRef(false);
  const unanswered = useRef(left?.unanswered ?? null);
  const isGone = useRef(false);
  useEffect(() => {
    if (left && !left.unanswered) void check(); // it may have been left before that was answered
    return () => { isGone.current = true; };
  }, []);

  const refused = review ? refusedRows(review.rejectedRows) : [];
  const good = refused.filter(({ row }) => checked.get(row)?.faults.length === 0);
  const count = (stored === null ? review?.stops.length ?? 0 : 0) + good.filter(({ row }) => checked.get(row)?.stop).length;

  const isLeft = stored !== null && !trouble && waiting === 0;

  function pathOf(choices: Choices, country: string, isDryRun: boolean): string {
    const query = new URLSearchParams([["query.partial", "true"], ["query.deliveryDate", date], ...parametersOf(choices)]);
    if (country) query.set("query.country", country);
    if (isDryRun) query.set("query.dryRun", "true");
    return `/stops/imports?${query}`;
  }

  const contentOf = async (from: File) => new Blob([await from.arrayBuffer()], { type: /\.xlsx$/i.test(from.name) ? SHEET : "text/csv" });
  const rowsOf = (rows: ReturnType<typeof refusedRows>, of: Review) => new Blob([writeRows(rows, of.columns, written.current)], { type: "text/csv" });

  // Ask and say what goes wrong; null where there is no answer, or a later request made it old.
  async function ask(kind: "file" | "rows", path: string, body: Blob): Promise<Review | null> {
    const mine = latest.current[kind] += 1;
    setWaiting((before) => before + 1);
    setTrouble("");
    try {
      const answer = (await call<Review>(path, { method: "POST", body, key: "" })).body;
      return mine === latest.current[kind] ? answer : null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (mine === latest.current[kind]) setTrouble(wordsOf(error));
      return null;
    } finally {
      setWaiting((before) => before - 1);
    }
  }

  const write = (now: Mends) => { setMends(written.current = now); };

  // What the file says with these columns; then what the mended rows say with them.
  async function read(from: File, choices: Choices): Promise<boolean> {
    const found = await ask("file", pathOf(choices, "", true), await contentOf(from));
    if (!found) return false;
    const headers = (of: Review | null) => JSON.stringify(of?.columns.map(({ header }) => header));
    if (headers(found) !== headers(shown.current)) {
      setTable((before) => before + 1);
      write(new Map());
    }
    setReview(shown.current = found);
    await check();
    return true;
  }

  async function check(): Promise<void> {
    const file = shown.current;
    if (!file) return;
    setChecked(NOTHING_CHECKED);
    const rows = rowsToCheck(refusedRows(file.rejectedRows), written.current);
    if (!rows.length) {
      latest.current.rows += 1;
      return;
    }
    const answer = await ask("rows", pathOf(wanted.current, file.country ?? "", true), rowsOf(rows, file));
    if (answer) setChecked(judgeRows(rows, answer, file));
  }

  async function choose(from: File | undefined): Promise<void> {
    if (!from) return;
    setFile(from);
    setReview(shown.current = null);
    setStored(null);
    setChecked(NOTHING_CHECKED);
    setChosen(wanted.current = new Map());
    write(new Map());
    latest.current.rows += 1; // what is asked of the file before is of no use
    await read(from, wanted.current);
  }

  async function assign(header: string, field: string): Promise<void> {
    if (!file) return;
    const before = wanted.current;
    const others = [...before].filter(([one, known]) => one !== header && (known !== field || !field));
    const choices = new Map([...others, [header, field]]);
    setChosen(wanted.current = choices);
    if (!(await read(file, choices)) && wanted.current === choices) setChosen(wanted.current = before); // it was refused
  }

  function mend({ row, cells }: { row: number; cells: string[] }, column: number, text: string): void {
    const cellsOfRow = new Map(written.current.get(row));
    if (text === (cellsOfRow.get(column) ?? cells[column] ?? "")) return;
    if (text === (cells[column] ?? "")) cellsOfRow.delete(column);
    else cellsOfRow.set(column, text);
    write(new Map([...written.current, [row, cellsOfRow]]));
    void check();
  }

  // Import, once: what was not answered is sent again as it was, by which the server knows it.
  async function send(path: string, body: () => Promise<Blob>): Promise<Review> {
    if (!unanswered.current) {
      const made = await body();
      unanswered.current = await sentBefore(path, made) ?? { path, body: made, key: newKey() };
    }
    const sent = unanswered.current;
    unansweredImports.add(sent);
    const settled = () => { unanswered.current = null; unansweredImports.delete(sent); };
    try {
      const { body: done } = await forgetting(call<Review>(sent.path, { method: "POST", body: sent.body, key: sent.key }));
      settled();
      return done;
    } catch (error) {
      if (error instanceof Refusal && !isUnanswered(error)) settled();
      throw error;
    }
  }

  // Of the rows those stay that are refused still; the others are stops of the file now, as those that
  // another mended row must not replace.
  function leaveRefused(from: File, done: number): void {
    const of = shown.current!;
    const rows = new Set(good.map(({ row }) => row));
    const made = [...rows].flatMap((row) => { const stop = checked.get(row)?.stop; return stop ? [{ row, stop }] : []; });
    const rest = {
      ...of,
      rejectedRows: of.rejectedRows.filter(({ row }) => !rows.has(row)),
      stops: [...of.stops, ...made.map(({ stop }) => stop)],
      rows: [...of.rows ?? of.stops.map(() => 0), ...made.map(({ row }) => row)],
    };
    leftRows.value = { date, file: from, review: rest, chosen: wanted.current, mends: written.current, checked, stored: done, unanswered: null };
  }

  function leave(): void {
    if (stored !== null && file && review && refused.length) leftRows.value = { date, file, review, chosen, mends, checked, stored, unanswered: unanswered.current };
    closeDialog();
  }

  // Imported is what the rows show: the same choices and mends are sent.
  async function store(): Promise<void> {
    if (!file || !review || isStoring.current || waiting) return;
    isStoring.current = true;
    setLocked(true);
    setWaiting((before) => before + 1);
    setTrouble("");
    let done = stored ?? 0;
    try {
      if (stored === null && review.stops.length) {
        done = (await send(pathOf(wanted.current, "", false), () => contentOf(file))).stops.length;
        setStored(done);
      }
      if (good.length) done += (await send(pathOf(wanted.current, review.country ?? "", false), async () => rowsOf(good, review))).stops.length;
      const out = refused.length - good.length;
      if (out) leaveRefused(file, done);
      else leftRows.value = null;
      if (!isGone.current) closeDialog();
      notice.value = [t("imported", { count: done }), out && `${t("rowsLeft", { count: out })}.`].filter(Boolean).join(" ");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (isGone.current) report(error);
      const words = [wordsOf(error), unanswered.current ? t("importAgain") : ""];
      setTrouble([done ? t("mendedNotImported", { count: done }) : "", ...words].filter(Boolean).join(" "));
    } finally {
      isStoring.current = false;
      setLocked(unanswered.current !== null);
      setWaiting((before) => before - 1);
    }
    if (done) await readAll();
  }

  const doubtful = review?.stops.filter((stop) => isDoubtful(stop.geocoding?.matchType)).length ?? 0;
  return (
    <Dialog title={t("importTitle")} close={leave} wide>
      <Failure words={trouble} />
      <Field label={t("spreadsheet")}><input type="file" accept=".csv,.xlsx,text/csv" disabled={isLocked} onChange={(event) => void choose(event.currentTarget.files?.[0])} /></Field>
      <p class="soft">{t("importHint")}</p>
      {review && <>
        {isLeft && <p class="warn">{t("imported", { count: stored })} {t("rowsLeft", { count: refused.length })}.</p>}
        {review.country && <p>{t("importCountry", { country: nameOfCountry(review.country) })}</p>}
        {stored === null && doubtful > 0 && <p class="warn">{t("doubtfulStops", { count: doubtful })}</p>}
        <div class="table-holder">
          <table aria-label={t("columns")}>
            <thead><tr>{review.columns.map(({ header }, index) => <th key={index}>{header}</th>)}</tr></thead>
            <tbody><tr>{review.columns.map(({ header, field }, index) => (
              <td key={index}>
                <select aria-label={header} value={chosen.get(header) ?? field} disabled={isLocked || stored !== null} onChange={(event) => void assign(header, event.currentTarget.value)}>
                  <option value="">{t("ignored")}</option>
                  {(review.fields ?? []).map((one) => <option key={one} value={one}>{one}</option>)}
                </select>
              </td>
            ))}</tr></tbody>
          </table>
        </div>
        <div class="table-holder tall">
          <Rows key={table} review={review} isStored={stored !== null} refused={refused} columns={review.columns} mends={mends} checked={checked}
            isWaiting={waiting > 0} isLocked={isLocked} mend={mend} />
        </div>
      </>}
      <div class="buttons">
        <button type="button" onClick={leave}>{t(stored === null ? "cancel" : "close")}</button>
        <button type="button" class="main" disabled={waiting > 0 || !count} onClick={() => void store()}>{t("importCount", { count })}</button>
      </div>
    </Dialog>
  );
}
