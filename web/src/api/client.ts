// The typed client of the API. A refusal, and an answer that never came, are both thrown as a
// Problem with a stable code.
import createClient, { type Client, type Middleware } from "openapi-fetch";
import { isRecord } from "./record";
import type { paths } from "./schema";

export { isRecord } from "./record";

export type Api = Client<paths>;

/** A refused or failed call: `code` is stable, `retryable` says whether the same call may yet succeed. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  /** Seconds to wait before a retry, where the server said so. */
  readonly retryAfterSeconds: number | null;
  /** What the code brings along: conflicts, alternatives, limits. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(status: number, document: Readonly<Record<string, unknown>>) {
    const detail = document["detail"] ?? document["title"];
    super(typeof detail === "string" ? detail : "The call failed");
    this.name = "Problem";
    this.status = status;
    this.code = typeof document["code"] === "string" ? document["code"] : "unreadable_answer";
    this.retryable = document["retryable"] === true;
    const seconds = document["retry_after_seconds"];
    this.retryAfterSeconds = typeof seconds === "number" ? seconds : null;
    this.data = document;
  }
}

/** The code of a call that got no answer: a network fault, or the server is down. */
export const UNREACHABLE = "unreachable";

const SECONDS_MAX = 20;

/** A client at `base`, by default this origin; `headers` is called for each request. */
export function createApi(
  headers: () => Record<string, string> | Promise<Record<string, string>>,
  base = "",
): Api {
  const api = createClient<paths>({
    baseUrl: base || globalThis.location?.origin || "",
    fetch: (request) => reach(request),
  });
  const keys: Middleware = {
    async onRequest({ request }) {
      for (const [name, value] of Object.entries(await headers())) {
        if (!request.headers.has(name)) request.headers.set(name, value);
      }
      return request;
    },
  };
  api.use(keys);
  return api;
}

/** The response to a request; a Problem where none comes within some seconds. */
export async function reach(request: Request, seconds = SECONDS_MAX): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(seconds * 1000)]);
  try {
    return await fetch(request, { signal });
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new Problem(0, {
      code: UNREACHABLE,
      detail: "The server cannot be reached",
      retryable: true,
    });
  }
}

type Outcome<T> = { data?: T; error?: unknown; response: Response };

/** The answer of a call. Throws its Problem. */
export async function answered<T>(call: Promise<Outcome<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (!response.ok) throw new Problem(response.status, isRecord(error) ? error : {});
  if (data === undefined || data === null) throw new Problem(response.status, {});
  return data;
}

/** A key under which a write may be repeated without a second effect. */
export function idempotencyKey(): string {
  return crypto.randomUUID();
}
