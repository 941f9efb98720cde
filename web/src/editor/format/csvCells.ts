// CSV as spreadsheets write it, cell by cell: quotes, line breaks within them, commas, semicolons or
// tabs. Strict: a quote in the wrong place is an error with its line.

/** What is wrong in a CSV, and where. */
export class CsvFault extends Error {
  readonly line: number;
  readonly column: string;
  /** Names the words for it. */
  readonly code: string;
  readonly detail: string;

  constructor(line: number, column: string, code: string, detail = "") {
    super(`line ${line}, column ${column}: ${code} ${detail}`);
    this.name = "CsvFault";
    this.line = line;
    this.column = column;
    this.code = code;
    this.detail = detail;
  }
}

export type CsvLine = { readonly number: number; readonly cells: readonly string[] };

/** The lines of a CSV, each with the number of its last line in the file. Throws CsvFault. */
export function* linesOf(text: string): Generator<CsvLine> {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  const delimiter = delimiterOf(body);
  let [number, cells, cell, at] = [1, [] as string[], "", 0];
  const wrong = () => new CsvFault(number, "seat", "no_csv");
  while (at < body.length) {
    if (body[at] === '"' && cell === "") {
      const [quoted, end] = quotedAt(body, at + 1, wrong);
      number += quoted.split("\n").length - 1;
      cell = quoted;
      at = end;
      const next = body[at];
      if (next !== undefined && next !== delimiter && next !== "\n" && next !== "\r") throw wrong();
    }
    const sign = body[at];
    if (sign === delimiter) {
      cells.push(cell);
      cell = "";
      at += 1;
    } else if (sign === "\n" || sign === "\r") {
      yield { number, cells: [...cells, cell] };
      [cells, cell] = [[], ""];
      at += sign === "\r" && body[at + 1] === "\n" ? 2 : 1;
      number += 1;
    } else if (sign !== undefined) {
      cell += sign;
      at += 1;
    }
  }
  if (cells.length > 0 || cell !== "") yield { number, cells: [...cells, cell] };
}

function quotedAt(text: string, from: number, wrong: () => CsvFault): [string, number] {
  let at = from;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0) throw wrong();
    if (text[end + 1] !== '"') return [text.slice(from, end).replaceAll('""', '"'), end + 1];
    at = end + 2;
  }
}

function delimiterOf(text: string): string {
  const first = text.slice(0, 10_000).split("\n", 1)[0] ?? "";
  const count = (sign: string) => first.split(sign).length - 1;
  return [",", ";", "\t"].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

/** A line of cells as CSV. */
export const writeLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",;\t\r\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`;
