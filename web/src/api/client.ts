// The typed calls of the pages, over the transport of @bespeak/browser. A refusal, and an answer that
// never came, are both thrown as a Problem with a stable code.
import { BespeakError, CHALLENGE_HEADER, Transport, type Documented } from "@bespeak/browser";
import type { RequestBodyOption } from "openapi-fetch";
import type {
  HttpMethod,
  PathsWithMethod,
  ResponseObjectMap,
  SuccessResponse,
} from "openapi-typescript-helpers";
import { CHALLENGE_REQUIRED, solveChallenge } from "./challenge";
import type { paths as InternalPaths } from "./internal";
import type { paths as PublicPaths } from "./schema";

export { isRecord } from "./record";

/** A refused or failed call, with all of its document, also of the calls that only our pages make. */
export class Problem extends BespeakError<Documented> {
  /** What the code brings along: conflicts, alternatives, limits. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(status: number, document: Readonly<Record<string, unknown>>) {
    const detail = document["detail"] ?? document["title"];
    const problem = {
      ...document,
      status,
      code: typeof document["code"] === "string" ? document["code"] : "unreadable_answer",
      detail: typeof detail === "string" ? detail : "The call failed",
      retryable: document["retryable"] === true,
    };
    super(problem);
    this.data = document;
  }
}

/** The code of a call that got no answer: a network fault, or the server is down. */
export const UNREACHABLE = "server_unreachable";

const SECONDS_MAX = 20;

/** What others may call, and what is for these pages alone. */
export type Paths = PublicPaths & InternalPaths;

/** What a call sends. `key` is the idempotency key of a write. One that `repeats` is sent again while
 * it has no answer; the others are repeated by whoever made them. */
type Input<Operation> = (Operation extends { parameters: infer Parameters }
  ? Omit<Parameters, "header" | "cookie">
  : unknown) &
  RequestBodyOption<Operation> & {
    key?: string;
    parseAs?: "blob" | "text";
    seconds?: number;
    repeats?: boolean;
  };
type Output<Operation> =
  Operation extends Record<string | number, unknown>
    ? NonNullable<SuccessResponse<ResponseObjectMap<Operation>, "application/json">>
    : never;
type Call<Method extends HttpMethod> = <Path extends PathsWithMethod<Paths, Method>>(
  path: Path,
  ...input: object extends Input<Paths[Path][Method]>
    ? [Input<Paths[Path][Method]>?]
    : [Input<Paths[Path][Method]>]
) => Promise<Output<Paths[Path][Method]>>;

export type Answer<Path extends PathsWithMethod<Paths, "get">> = Output<Paths[Path]["get"]>;

/** Calls by method and path. They give the answer's body, and throw its Problem. */
export type Api = {
  readonly GET: Call<"get">;
  readonly POST: Call<"post">;
  readonly PUT: Call<"put">;
  readonly PATCH: Call<"patch">;
  readonly DELETE: Call<"delete">;
};

type AnyInput = {
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  body?: unknown;
  key?: string;
  parseAs?: "blob" | "text";
  seconds?: number;
  repeats?: boolean;
};

/** What headers may depend on. */
export type Asked = { readonly method: string; readonly body?: unknown };

/** A client at this origin. `headers` is asked before each call; `isRenewed` after each refusal,
 * whether the call may be repeated; and `isProved` the same where a person is asked first, who may
 * take longer than a call. Each request is sent by `send`. */
export function createApi(
  headers: (asked: Asked) => Record<string, string>,
  isRenewed: (problem: Problem) => Promise<boolean> = async () => false,
  isProved: (problem: Problem) => Promise<boolean> = async () => false,
  send: typeof fetch = async (...request) => globalThis.fetch(...request),
): Api {
  const transport = new Transport(
    { url: originOfPage(), timeoutSeconds: SECONDS_MAX, fetch: send },
    {
      // The language that the page is in, which may be another than the browser's.
      headers: (request) => ({
        "accept-language": pageLanguage(),
        ...headers(request ?? { method: "GET" }),
      }),
      isRenewed: (error) => isRenewed(problemOf(error)),
      headersAfter: async (error) => challengeHeaders(problemOf(error)),
    },
  );
  const call =
    (method: HttpMethod) =>
    async (url: string, { path = {}, query, body, key, ...more }: AnyInput = {}) => {
      const request = { method: method.toUpperCase(), path: filled(url, path), query, body, key };
      const options = more.seconds === undefined ? {} : { timeoutSeconds: more.seconds };
      const once = { ...request, isOnce: more.repeats !== true };
      const ask = async () => {
        try {
          const answer = await transport.send<unknown>(once, options, more.parseAs);
          if (answer.body === null) throw new Problem(answer.response.status, {});
          return answer.body;
        } catch (error) {
          throw error instanceof BespeakError ? problemOf(error) : error;
        }
      };
      try {
        return await ask();
      } catch (error) {
        if (error instanceof Problem && (await isProved(error))) return await ask();
        throw error;
      }
    };
  const calls = { GET: call("get"), POST: call("post"), PUT: call("put"), PATCH: call("patch") };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body is as the schema says
  return { ...calls, DELETE: call("delete") } as Api;
}

async function challengeHeaders(problem: Problem): Promise<Record<string, string> | null> {
  if (problem.code !== CHALLENGE_REQUIRED) return null;
  const answer = await solveChallenge(problem.data["challenge"]);
  return answer === null ? null : { [CHALLENGE_HEADER]: answer };
}

/** As applyDirection wrote it: with the visitor's region. */
function pageLanguage(): string {
  return globalThis.document?.documentElement.lang || "en";
}

/** Tests have pages without an address. */
function originOfPage(): string {
  const { origin } = globalThis.location ?? {};
  return origin?.startsWith("http") === true ? origin : "http://localhost";
}

function filled(url: string, path: Readonly<Record<string, string | number>>): string {
  return url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
}

function problemOf(error: BespeakError): Problem {
  if (error instanceof Problem) return error;
  const seconds = error.retryAfterSeconds;
  const told = seconds === undefined ? {} : { retry_after_seconds: seconds };
  return new Problem(error.status, { ...told, ...error.problem });
}

/** A key under which a write may be repeated without a second effect. */
export function idempotencyKey(): string {
  return crypto.randomUUID();
}
