// Rows of a spreadsheet that were refused, and what the planner writes into their cells instead.
import { t } from "../kit/words";
import { sayIssue, type Issue } from "./issues";
import type { ImportedStop } from "./shapes";

export interface Fault { column: string; reason: string }
interface Rejection extends Fault, Issue { row: number; orderRow?: number; cells?: string[] }
interface Warning extends Issue { index?: number; field?: string; message: string; leftOut?: boolean }
export interface Column { header: string; field: string }

export interface Review {
  stops: ImportedStop[];
  rejectedRows: Rejection[];
  rows?: number[];
  warnings: Warning[];
  columns: Column[];
  fields?: string[];
  country?: string;
}

export interface RefusedRow { row: number; cells: string[]; faults: Fault[]; orderRow?: number }

// What is written instead, by row and by the column's index.
export type Mends = ReadonlyMap<number, ReadonlyMap<number, string>>;

// What a dry run says of a mended row. A further line of an order is good without a stop of its own.
export interface Checked { faults: Fault[]; stop?: ImportedStop; warnings: Fault[] }

export function refusedRows(rejections: readonly Rejection[]): RefusedRow[] {
  const rows = new Map<number, RefusedRow>();
  for (const { row, column, orderRow, cells, ...rejection } of rejections) {
    const known = rows.get(row);
    const fault = { column, reason: sayIssue(rejection, rejection.reason) };
    if (known) known.faults.push(fault);
    else rows.set(row, { row, cells: cells ?? [], faults: [fault], ...(orderRow ? { orderRow } : {}) });
  }
  return [...rows.values()];
}

// What is doubtful about a stop. A sentence in English says by itself that the cell is left out.
export function sayWarning(warning: Warning): Fault {
  const reason = sayIssue(warning, "");
  const words = warning.leftOut && reason ? t("cellLeftOut", { reason }) : reason;
  return { column: warning.field ?? "", reason: words || warning.message };
}

// An address is looked up as a whole: any part of it may be what is wrong.
const ADDRESS = "address";
const PARTS = new Set([ADDRESS, "address1", "house number", "address2", "city", "provinceCode", "zip", "zip and city", "countryCode"]);
const PLACES = new Set([...PARTS, "latitude", "longitude", "coordinates"]);

const where = (columns: readonly Column[], isMeant: (column: Column, index: number) => boolean) =>
  columns.flatMap((column, index) => (column.field && isMeant(column, index) ? [index] : []));

// The columns that a fault names.
export const columnsAtFault = (columns: readonly Column[], { column }: Fault) =>
  where(columns, ({ header, field }) => header === column || field === column || (column === ADDRESS && PARTS.has(field)));

// The columns of a row that may have to change. Where a fault names none, those that say where the stop
// is if the row does not, else all that are read; a line of an order waits for the order's first row.
export function columnsToMend(columns: readonly Column[], { cells, orderRow }: RefusedRow, faults: readonly Fault[]): Set<number> {
  const found = new Set<number>();
  for (const fault of faults) {
    const named = columnsAtFault(columns, fault);
    if (named.length) for (const index of named) found.add(index);
    else if (!orderRow) {
      const places = where(columns, ({ field }) => PLACES.has(field));
      const isNowhere = places.length > 0 && places.every((index) => !cells[index]);
      for (const index of isNowhere ? places : where(columns, () => true)) found.add(index);
    }
  }
  return found;
}

const cellsOf = ({ row, cells }: RefusedRow, columns: readonly Column[], mends: Mends) =>
  columns.map((_, index) => mends.get(row)?.get(index) ?? cells[index] ?? "");

export const isMended = ({ row }: RefusedRow, mends: Mends) => Boolean(mends.get(row)?.size);

// Mended rows, and further lines of orders that are only out because the order's first row was.
export const rowsToCheck = (refused: readonly RefusedRow[], mends: Mends) =>
  refused.filter((one) => isMended(one, mends) || Boolean(one.orderRow && mends.get(one.orderRow)?.size));

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

// The rows as CSV. Blank lines stand for the others, so that each keeps its number, which reasons name.
export function writeRows(rows: readonly RefusedRow[], columns: readonly Column[], mends: Mends): string {
  let text = columns.map(({ header }) => quoted(header)).join(",");
  let line = 1;
  for (const one of rows) {
    text += "\n".repeat(one.row - line) + cellsOf(one, columns, mends).map(quoted).join(",");
    line = one.row;
  }
  return `${text}\n`;
}

// What an answer about some rows says of each. A stop that a row of the file is already must not replace it.
export function judgeRows(sent: readonly RefusedRow[], answer: Review, file: Review): Map<number, Checked> {
  const refused = new Map(refusedRows(answer.rejectedRows).map((one) => [one.row, one.faults]));
  const rowOfId = new Map(file.stops.flatMap(({ clientStopId }, index) => (clientStopId ? [[clientStopId, file.rows?.[index] ?? 0]] : [])));
  const judged = new Map<number, Checked>(sent.map(({ row }) => [row, { faults: refused.get(row) ?? [], warnings: [] }]));
  answer.stops.forEach((stop, index) => {
    const row = answer.rows?.[index] ?? 0;
    const same = stop.clientStopId ? rowOfId.get(stop.clientStopId) : undefined;
    const warnings = answer.warnings.filter((one) => one.index === index).map(sayWarning);
    judged.set(row, same === undefined ? { faults: [], stop, warnings } : { faults: [{ column: "clientStopId", reason: t("sameInRow", { row: same }) }], warnings });
  });
  for (const { row, orderRow } of sent) {
    const line = judged.get(row);
    if (line && !line.stop && !line.faults.length && orderRow) line.faults = judged.get(orderRow)?.faults ?? [];
  }
  return judged;
}
