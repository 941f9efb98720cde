// The request that a sample makes: a call with values for its path, query and body, at a server.
import { exampleOf } from "../book/examples";
import type { BookCall } from "../book/book";
import type { Schemas } from "../book/openapi";

/** The variable that has the key: of the least kind that opens the call. */
export type KeyVariable = "SK" | "AK";
export type SampleRequest = {
  readonly operationId: string;
  readonly server: string;
  readonly method: string;
  readonly path: Readonly<Record<string, string>>;
  /** The path with its values in it, and the query behind it. */
  readonly target: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly bodyType: string | null;
  /** Whether its body is taken as it comes, from a file. */
  readonly isRaw: boolean;
  readonly answerType: string;
  readonly key: KeyVariable | null;
  readonly isRepeatable: boolean;
};
/** What the reader puts in the place of values of the examples. */
export type OwnValues = Readonly<Record<string, string>>;

const JSON_TYPE = "application/json";

export function requestOf(
  call: BookCall,
  schemas: Schemas,
  server: string,
  own: OwnValues = {},
): SampleRequest {
  const withOwn = (value: unknown) => replaced(value, own);
  const path = Object.fromEntries(
    call.inPath.map(({ name, schema }) => [
      name,
      String(withOwn(exampleOf(schema, schemas, name))),
    ]),
  );
  const query = Object.fromEntries(
    call.query
      .filter(({ isNeeded, example }) => isNeeded || example !== undefined)
      .map(({ name, schema, example }) => [
        name,
        withOwn(example ?? exampleOf(schema, schemas, name)),
      ]),
  );
  const told = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString();
  const filled = call.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(path[name] ?? ""),
  );
  return {
    operationId: call.operationId,
    server: server.replace(/\/$/, ""),
    method: call.method,
    path,
    target: told === "" ? filled : `${filled}?${told}`,
    query,
    body: call.body === null ? undefined : withOwn(call.body.example),
    bodyType: call.body?.mediaType ?? null,
    isRaw: call.body !== null && call.body.schema === null,
    answerType: call.answers[0]?.mediaType || JSON_TYPE,
    key: keyOf(call),
    isRepeatable: call.isRepeatable,
  };
}

/** The ids of an example that a reader may have an own one of, each once. */
export function idsOf({ path, query, body }: SampleRequest): readonly string[] {
  const found =
    JSON.stringify([path, query, body]).match(/"[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{8,}"/g) ?? [];
  return [...new Set(found.map((one) => one.slice(1, -1)))];
}

/** A value of the path, as a verb takes it: a number, where it is one. No id is. */
export function pathValue({ path }: SampleRequest, name: string): string | number | undefined {
  const value = path[name];
  return value !== undefined && /^[0-9]+$/.test(value) ? Number(value) : value;
}

/** Whether the clients have a way for it: JSON there and back. */
export const isOfClients = ({ isRaw, answerType }: SampleRequest): boolean =>
  !isRaw && answerType === JSON_TYPE;

/** Whether its answer goes on and on. */
export const isStream = ({ answerType }: SampleRequest): boolean =>
  answerType === "text/event-stream";

function replaced(value: unknown, own: OwnValues): unknown {
  if (typeof value === "string") return own[value] || value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, own));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, own)]));
}

/** Null where no key is needed. */
function keyOf({ access = [] }: BookCall): KeyVariable | null {
  const names = new Set(access.flatMap((one) => Object.keys(one)));
  if (names.has("secret")) return "SK";
  return names.size === 0 ? null : names.has("admin") ? "AK" : "SK";
}
