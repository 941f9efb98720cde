// What the pages of docs/reference say of calls, fields and errors, as data. They are read when the
// pages are built, so that /docs and the reference say the same. Nothing here knows the browser.

export type FieldKind = "body" | "query" | "answer";
export type CallNotes = {
  readonly text: string;
  readonly answers: string;
  readonly also: string;
  readonly errors: readonly string[];
  readonly fields: Readonly<Record<FieldKind, Readonly<Record<string, string>>>>;
};
export type ErrorNotes = {
  readonly group: string;
  readonly status: number;
  readonly sqlstate: string | null;
  readonly retryable: boolean;
  readonly meaning: string;
  readonly advice: string;
};
export type Reference = {
  /** By method and path: `POST /v1/holds`. */
  readonly calls: Readonly<Record<string, CallNotes>>;
  readonly errors: Readonly<Record<string, ErrorNotes>>;
  /** The meanings of fields, by the heading below which they stand. */
  readonly objects: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** `page` is the title of the page that it is on. */
type Section = { readonly page: string; readonly title: string; readonly lines: readonly string[] };
type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

const CALL = /^`([A-Z]+ \/\S*)`$/;
const WHOLE = "The HTTP API";
/** Headings that stand on the page of each plan. */
const PARTS_OF_PAGES: Readonly<Record<string, (page: string) => string | null>> = {
  "The plan": (page) => `${page} plan`,
  Availability: (page) => (page === WHOLE ? null : `${page} availability`),
};
const CODE = /`([^`]+)`/g;

/** What these pages, as Markdown, say. */
export function readReference(pages: readonly string[]): Reference {
  const calls: Record<string, CallNotes> = {};
  const errors: Record<string, ErrorNotes> = {};
  const objects: Record<string, Record<string, string>> = {};
  for (const section of pages.flatMap(sectionsOf)) {
    const tables = tablesOf(section.lines);
    const call = CALL.exec(section.title)?.[1];
    if (call !== undefined) calls[call] = callNotes(section, tables);
    for (const table of tables) {
      if (table.head[0] === "code" && table.head[2] === "SQLSTATE")
        Object.assign(errors, errorNotes(section.title, table));
      if (table.head[0] === "field" && call === undefined) {
        const name = PARTS_OF_PAGES[section.title]?.(section.page) ?? section.title;
        objects[name] = { ...meanings(table), ...objects[name] };
      }
    }
  }
  return { calls, errors, objects };
}

function sectionsOf(page: string): readonly Section[] {
  const sections: { page: string; title: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of page.split("\n")) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const title = isCode ? undefined : /^#{1,6} +(.+?) *$/.exec(line)?.[1];
    if (title !== undefined) sections.push({ page: sections[0]?.title ?? title, title, lines: [] });
    else if (!isCode) sections.at(-1)?.lines.push(line);
  }
  return sections;
}

function tablesOf(lines: readonly string[]): readonly Table[] {
  const tables: { head: string[]; rows: string[][] }[] = [];
  let isInside = false;
  for (const line of lines) {
    const cells = line.startsWith("|") ? cellsOf(line) : null;
    if (cells !== null && !isInside) tables.push({ head: cells, rows: [] });
    else if (cells !== null && !cells.every((cell) => /^:?-+:?$/.test(cell)))
      tables.at(-1)?.rows.push(cells);
    isInside = cells !== null;
  }
  return tables;
}

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

function callNotes({ lines }: Section, tables: readonly Table[]): CallNotes {
  const bullets = Object.fromEntries(bulletsOf(lines));
  const of = (kind: FieldKind) =>
    Object.assign(
      {},
      ...tables.filter(({ head }) => head[0] === `${kind} field`).map(meanings),
    ) as Record<string, string>;
  return {
    text: firstText(lines),
    answers: (bullets["Answers"] ?? "").replace(/^\d+,? */, ""),
    also: bullets["Other answers"] ?? "",
    errors: codes(bullets["Errors"] ?? ""),
    fields: { body: of("body"), query: of("query"), answer: of("answer") },
  };
}

/** The paragraphs before the first list or table. */
function firstText(lines: readonly string[]): string {
  const end = lines.findIndex((line) => /^(- |\|)/.test(line));
  const text = lines.slice(0, end === -1 ? lines.length : end).join("\n");
  return text.trim().replace(/(?<!\n)\n(?!\n)/g, " ");
}

/** `- Answers: 200, …` as its name and what it says, with the lines that go on with it. */
function bulletsOf(lines: readonly string[]): readonly [string, string][] {
  return [...lines.join("\n").matchAll(/^- ([A-Z][a-z ]+): (.+(?:\n  .+)*)/gm)].map(
    ([, name = "", text = ""]) => [name, text.replaceAll(/\n +/g, " ")],
  );
}

const codes = (text: string): string[] => [...text.matchAll(CODE)].map(([, code = ""]) => code);

function meanings({ head, rows }: Table): Record<string, string> {
  const place = head.indexOf("meaning");
  const named = rows.flatMap((row) =>
    codes(row[0] ?? "").map((name): [string, string] => [name, row[place] ?? ""]),
  );
  return place === -1 ? {} : Object.fromEntries(named);
}

function errorNotes(group: string, { rows }: Table): Record<string, ErrorNotes> {
  const notes = rows.flatMap(([first = "", status = "", sqlstate = "", retry, meaning, advice]) =>
    codes(first).map((code): [string, ErrorNotes] => [
      code,
      {
        group,
        status: Number(status),
        sqlstate: sqlstate === "none" ? null : sqlstate,
        retryable: retry === "yes",
        meaning: meaning ?? "",
        advice: advice ?? "",
      },
    ]),
  );
  return Object.fromEntries(notes.filter(([code]) => /^[a-z_]+$/.test(code)));
}
