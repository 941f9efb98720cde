// All that the pages show: the calls, objects and errors of the document, with what the reference says
// of them. Made once when the document has come; what only one page shows, when it is shown: there are
// hundreds of each, and a phone would work on them for a second.
import { exampleOf } from "./examples";
import { fieldOf, fieldsOf, oneLine, type BookField } from "./fields";
import {
  componentOf,
  resolved,
  type OpenApi,
  type Operation,
  type Schema,
  type Schemas,
} from "./openapi";
import { once } from "./once";
import type { CallNotes, ErrorNotes, Reference } from "./reference";

export type BookAnswer = {
  readonly status: number;
  readonly text: string;
  readonly mediaType: string;
  readonly schema: Schema | null;
  readonly example: unknown;
};
export type BookBody = {
  readonly mediaType: string;
  readonly schema: Schema | null;
  readonly fields: readonly BookField[];
  readonly isNeeded: boolean;
  readonly example: unknown;
};
export type BookCall = {
  /** As it is linked: `placeHold`. */
  readonly id: string;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly text: string;
  readonly isRepeatable: boolean;
  readonly access: Operation["security"];
  readonly inPath: readonly BookField[];
  readonly query: readonly BookField[];
  readonly headers: readonly BookField[];
  readonly body: BookBody | null;
  readonly answers: readonly BookAnswer[];
  readonly answerFields: Readonly<Record<string, string>>;
  /** Its own, and those that every call of its sort has. */
  readonly errors: { readonly own: readonly string[]; readonly common: readonly string[] };
};
export type BookError = {
  readonly code: string;
  readonly status: number;
  readonly sqlstate: string | null;
  readonly retryable: boolean;
  readonly group: string;
  readonly meaning: string;
  readonly advice: string;
  readonly schema: Schema | null;
  readonly example: unknown;
  readonly calls: readonly BookCall[];
};
export type BookObject = {
  readonly name: string;
  readonly schema: Schema;
  readonly text: string;
  readonly fields: readonly BookField[];
  readonly example: unknown;
};
export type Book = {
  readonly server: string;
  readonly tags: OpenApi["tags"];
  readonly schemas: Schemas;
  readonly calls: readonly BookCall[];
  readonly errors: readonly BookError[];
  readonly objects: readonly BookObject[];
};

/** What the members that all problems have are for. */
export const PROBLEM_MEMBERS = [
  "type",
  "title",
  "status",
  "code",
  "detail",
  "retryable",
  "request_id",
] as const;
/** Headings of the reference whose struct has another name. */
const STRUCTS: Readonly<Record<string, string>> = {
  "Calling off": "CalledOff",
  Key: "ApiKey",
  "Place in line": "Position",
  Availability: "SeatsAvailability",
  Report: "ImportReport",
  Fees: "Fee",
  Taxes: "Tax",
  Steps: "DemandStep",
  Codes: "PriceCode",
  "Numbered tickets plan": "TicketsPlan",
  "Numbered tickets availability": "TicketsAvailability",
};
const OTHERS = "Others";

export function readBook(document: OpenApi, reference: Reference): Book {
  const { schemas } = document.components;
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      readCall(method.toUpperCase(), path, operation, document, reference),
    ),
  );
  const order = new Map(document.tags.map(({ name }, place) => [name, place]));
  calls.sort((one, other) => (order.get(one.tag) ?? 0) - (order.get(other.tag) ?? 0));
  return {
    server: document.servers[0]?.url ?? "",
    tags: document.tags,
    schemas,
    calls,
    errors: readErrors(schemas, calls, reference),
    objects: readObjects(
      schemas,
      once(() => meaningsOf(document, reference)),
    ),
  };
}

/** `place_hold` as `placeHold`, as methods of JavaScript are named. */
export function idOf(operationId: string): string {
  return operationId.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

function readCall(
  method: string,
  path: string,
  operation: Operation,
  { components: { schemas } }: OpenApi,
  reference: Reference,
): BookCall {
  const notes = reference.calls[`${method} ${path}`];
  const more = once(() => partsOf(operation, schemas, notes));
  return {
    id: idOf(operation.operationId),
    operationId: operation.operationId,
    method,
    path,
    tag: operation.tags[0] ?? OTHERS,
    summary: operation.summary,
    text: notes?.text || oneLine(operation.description),
    isRepeatable: (operation.parameters ?? []).some(({ name }) => name === "Idempotency-Key"),
    access: operation.security ?? [],
    answerFields: notes?.fields.answer ?? {},
    get inPath() {
      return more().inPath;
    },
    get query() {
      return more().query;
    },
    get headers() {
      return more().headers;
    },
    get body() {
      return more().body;
    },
    get answers() {
      return more().answers;
    },
    get errors() {
      return more().errors;
    },
  };
}

type Parts = Pick<BookCall, "inPath" | "query" | "headers" | "body" | "answers" | "errors">;

/** What the page of a call shows below its name. */
function partsOf(operation: Operation, schemas: Schemas, notes: CallNotes | undefined): Parts {
  const parameters = (place: string) =>
    (operation.parameters ?? [])
      .filter((one) => one.in === place)
      .map(({ name, description = "", schema, required, example }): BookField => {
        const meanings = place === "query" ? notes?.fields.query : undefined;
        const field = fieldOf(name, { description, ...schema }, required === true, meanings ?? {});
        return example === undefined ? field : { ...field, example };
      });
  return {
    inPath: parameters("path"),
    query: parameters("query"),
    headers: parameters("header"),
    body: readBody(operation, schemas, notes),
    answers: readAnswers(operation, schemas, notes),
    errors: readCodes(operation, schemas, notes),
  };
}

function readBody(
  { requestBody }: Operation,
  schemas: Schemas,
  notes: CallNotes | undefined,
): BookBody | null {
  const [mediaType, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (requestBody === undefined || mediaType === undefined || media === undefined) return null;
  // What is taken as it comes has a schema that says nothing.
  const isTold = mediaType === "application/json" && componentOf(media.schema ?? {}) !== null;
  const schema = isTold ? (media.schema ?? null) : null;
  const example = once(
    () => media.example ?? (schema === null ? undefined : exampleOf(schema, schemas)),
  );
  return {
    mediaType,
    schema,
    isNeeded: requestBody.required === true,
    fields: schema === null ? [] : fieldsOf(schema, schemas, notes?.fields.body),
    get example() {
      return example();
    },
  };
}

function readAnswers(
  { responses }: Operation,
  schemas: Schemas,
  notes: CallNotes | undefined,
): readonly BookAnswer[] {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return good.flatMap(([status, response], place): BookAnswer[] => {
    const text = place === 0 ? (notes?.answers ?? "") : notes?.also || (response.description ?? "");
    const contents = Object.entries(response.content ?? {});
    if (contents.length === 0)
      return [{ status: Number(status), text, mediaType: "", schema: null, example: undefined }];
    return contents.map(([mediaType, { schema, example }]) => {
      const told = mediaType === "application/json" && schema !== undefined ? schema : null;
      const shown = once(() => example ?? (told === null ? undefined : exampleOf(told, schemas)));
      return {
        status: Number(status),
        text,
        mediaType,
        schema: told,
        get example() {
          return shown();
        },
      };
    });
  });
}

function readCodes(
  { responses }: Operation,
  schemas: Schemas,
  notes: CallNotes | undefined,
): BookCall["errors"] {
  const problems = Object.values(responses).flatMap(
    ({ content }) => content?.["application/problem+json"]?.schema ?? [],
  );
  const codes = problems
    .flatMap((schema) => schema.oneOf ?? [schema])
    .map((schema) => codeOf(resolved(schema, schemas)))
    .filter((code) => code !== null);
  if (notes === undefined) return { own: codes, common: [] };
  return {
    own: codes.filter((code) => notes.errors.includes(code)),
    common: codes.filter((code) => !notes.errors.includes(code)),
  };
}

function codeOf(problem: Schema): string | null {
  const code = problem.properties?.["code"]?.const;
  return typeof code === "string" ? code : null;
}

function readErrors(
  schemas: Schemas,
  calls: readonly BookCall[],
  { errors: notes }: Reference,
): readonly BookError[] {
  const told = new Map(
    Object.values(schemas).flatMap((schema): [string, Schema][] => {
      const code = codeOf(schema);
      return code === null ? [] : [[code, schema]];
    }),
  );
  const codes = [...new Set([...Object.keys(notes), ...told.keys()])];
  return codes.map((code) => {
    const schema = told.get(code) ?? null;
    const isOf = ({ errors }: BookCall) =>
      errors.own.includes(code) || errors.common.includes(code);
    const its = once(() => calls.filter(isOf));
    return errorOf(code, schema, schemas, notes[code], its);
  });
}

function errorOf(
  code: string,
  schema: Schema | null,
  schemas: Schemas,
  notes: ErrorNotes | undefined,
  calls: () => readonly BookCall[],
): BookError {
  const { status, retryable } = schema?.properties ?? {};
  const example = once(() =>
    schema === null ? undefined : problemOf(code, schema, schemas, notes?.meaning),
  );
  return {
    code,
    status: notes?.status ?? Number(status?.const ?? 0),
    sqlstate: notes?.sqlstate ?? null,
    retryable: notes?.retryable ?? retryable?.const === true,
    group: notes?.group ?? OTHERS,
    meaning: notes?.meaning || oneLine(schema?.description),
    advice: notes?.advice ?? "",
    schema,
    get example() {
      return example();
    },
    get calls() {
      return calls();
    },
  };
}

function problemOf(code: string, schema: Schema, schemas: Schemas, meaning = ""): unknown {
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  const text = (meaning || oneLine(schema.description)).split(/[.:;(]/)[0]?.trim() ?? "";
  const made = exampleOf(schema, schemas) as Record<string, unknown>;
  return { ...made, type: `/docs#${code}`, title: text, detail: text };
}

type Meanings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What the reference says of fields, by the struct: below its heading, or at a call that takes it. */
function meaningsOf({ paths }: OpenApi, { objects, calls }: Reference): Meanings {
  const told = Object.entries(objects).map(([title, fields]): [string, typeof fields] => [
    STRUCTS[title] ??
      title.replaceAll(/(?:^|[ -])(\w)/g, (_all, first: string) => first.toUpperCase()),
    fields,
  ]);
  const taken = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]): typeof told => {
      const fields = calls[`${method.toUpperCase()} ${path}`]?.fields.body;
      const name = componentOf(requestBody?.content["application/json"]?.schema ?? {});
      return name === null || fields === undefined ? [] : [[name, fields]];
    }),
  );
  return Object.fromEntries([...told, ...taken]);
}

function readObjects(schemas: Schemas, meanings: () => Meanings): readonly BookObject[] {
  return Object.entries(schemas)
    .filter(([, schema]) => codeOf(schema) === null)
    .map(([name, schema]) => objectOf(name, schema, schemas, meanings))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function objectOf(
  name: string,
  schema: Schema,
  schemas: Schemas,
  meanings: () => Meanings,
): BookObject {
  const text = once(() => oneLine(schema.description));
  const example = once(() => exampleOf(schema, schemas));
  const fields = once(() => {
    const told = meanings();
    return fieldsOf(schema, schemas, { ...told[name.replace(/View$/, "")], ...told[name] });
  });
  return {
    name,
    schema,
    get text() {
      return text();
    },
    get fields() {
      return fields();
    },
    get example() {
      return example();
    },
  };
}
