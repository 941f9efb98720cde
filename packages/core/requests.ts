// What a verb sends: a description that the transport carries out, as often as it needs.
import type { Query } from "./address.ts";
import { invalid } from "./problems.ts";

/** A call of the API. `key` makes a repeat answer as the first did; one with neither key nor `isSafe`
 * is not repeated when its answer was lost. `holdId` is of the hold beyond whose end nothing is tried. */
export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly key?: string | undefined;
  readonly isSafe?: boolean;
  readonly holdId?: string;
  /** Whoever asks repeats by himself: one attempt. */
  readonly isOnce?: boolean;
};

/** What every verb takes last. */
export type CallOptions = {
  /** Asserts that the hold or booking is theirs; else the call is refused (`not_owner`). */
  readonly owner?: string;
  /** The pass of a waiting room, for holds and quotes of what is behind one. */
  readonly pass?: string;
  /** For how long to try, all attempts together. */
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
};

/** The same for a verb that changes something. */
export type WriteOptions = CallOptions & {
  /** Under which key: one that you have kept, or a new one of the client's own. */
  readonly idempotencyKey?: string;
};

const TEXT_LENGTH_MAX = 200;
/** Of a pass, which is signed. */
export const PASS_LENGTH_MAX = 1900;
const LINK_LENGTH_MAX = 1000;
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** A request that changes nothing. */
export function read(path: string, query?: Query): ApiRequest {
  return { method: "GET", path, query, isSafe: true };
}

/** One that changes nothing either, and has more to say than fits into an address. */
export function ask(path: string, body: unknown): ApiRequest {
  return { method: "POST", path, body, isSafe: true };
}

/** One that changes something, and nothing more when it is sent again: it needs no key. */
export function again(method: string, path: string, body?: unknown, query?: Query): ApiRequest {
  return { method, path, body, query, isSafe: true };
}

/** One that changes something, for which the server takes no key: after an answer that was lost it is not
 * sent again. */
export function once(method: string, path: string, body?: unknown): ApiRequest {
  return { method, path, body };
}

/** One that changes something, under a key of its own if none is given. */
export function write(
  method: string,
  path: string,
  body?: unknown,
  { idempotencyKey }: WriteOptions = {},
): ApiRequest {
  const key = idempotencyKey ?? crypto.randomUUID();
  return { method, path, body, key: asHeader(key, "idempotency_key") };
}

/** What opens an entry of a waitlist, as a header; none without a link. */
export function linkHeader(waitlistLink: string | undefined): Readonly<Record<string, string>> {
  if (waitlistLink === undefined) return {};
  return {
    "bespeak-waitlist-link": asHeader(waitlistLink, "waitlist_link", LINK_LENGTH_MAX),
  };
}

/** A text as the value of a header, which has bytes and not characters. */
export function asHeader(text: string, field: string, lengthMax = TEXT_LENGTH_MAX): string {
  if (text.length < 1 || text.length > lengthMax || CONTROL.test(text)) {
    const rule = `1 to ${lengthMax} characters and no control characters`;
    throw invalid(field, `${field} has ${rule}`);
  }
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** An id as a part of a path. */
export function part(id: string, name: string): string {
  if (!/^[A-Za-z0-9_]{1,100}$/.test(id)) throw invalid(name, `${name} is an id`);
  return id;
}
