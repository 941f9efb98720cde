// The typed client of the API. A refusal, and an answer that never came, are both thrown as a
// Problem with a stable code.
import createClient, { type RequestBodyOption } from "openapi-fetch";
import type {
  HttpMethod,
  PathsWithMethod,
  ResponseObjectMap,
  SuccessResponse,
} from "openapi-typescript-helpers";
import { CHALLENGE_REQUIRED, solveChallenge } from "./challenge";
import { isRecord } from "./record";
import type { paths as InternalPaths } from "./internal";
import type { paths as PublicPaths } from "./schema";

export { isRecord } from "./record";

/** A refused or failed call: `code` is stable, `retryable` says whether the same call may yet succeed. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  /** What the code brings along: conflicts, alternatives, limits. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(status: number, document: Readonly<Record<string, unknown>>) {
    const detail = document["detail"] ?? document["title"];
    super(typeof detail === "string" ? detail : "The call failed");
    this.name = "Problem";
    this.status = status;
    this.code = typeof document["code"] === "string" ? document["code"] : "unreadable_answer";
    this.retryable = document["retryable"] === true;
    this.data = document;
  }
}

/** The code of a call that got no answer: a network fault, or the server is down. */
export const UNREACHABLE = "unreachable";

const SECONDS_MAX = 20;

/** What others may call, and what is for these pages alone. */
export type Paths = PublicPaths & InternalPaths;

/** What a call sends. `key` is the idempotency key of a write. */
type Input<Operation> = (Operation extends { parameters: infer Parameters }
  ? Omit<Parameters, "header" | "cookie">
  : unknown) &
  RequestBodyOption<Operation> & {
    key?: string;
    parseAs?: "blob" | "text";
    seconds?: number;
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
  readonly PATCH: Call<"patch">;
  readonly DELETE: Call<"delete">;
};

type AnyInput = { path?: object; query?: object; key?: string; seconds?: number };
type Outcome = { data?: unknown; error?: unknown; response: Response };
type Send = (method: HttpMethod, path: string, init: object) => Promise<Outcome>;

/** A client at this origin. `headers` is asked before each call; `isRenewed` after each refusal,
 * whether the call may be repeated. */
export function createApi(
  headers: () => Record<string, string>,
  isRenewed: (problem: Problem) => Promise<boolean> = async () => false,
): Api {
  const { request } = createClient<Paths>({ baseUrl: globalThis.location?.origin ?? "" });
  const call =
    (method: HttpMethod) =>
    async (url: string, { path, query, key, seconds, ...rest }: AnyInput = {}) => {
      const send = async (answer: string | null = null) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of Call hold here
        const { data, error, response } = await (request as Send)(method, url, {
          params: { path, query, header: key && { "Idempotency-Key": key } },
          headers: answer === null ? headers() : { ...headers(), "Bespeak-Challenge": answer },
          fetch: (made: Request) => reach(made, seconds),
          ...rest,
        });
        if (!response.ok) throw new Problem(response.status, isRecord(error) ? error : {});
        if (data === undefined || data === null) throw new Problem(response.status, {});
        return data;
      };
      try {
        return await send();
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (problem.code === CHALLENGE_REQUIRED) {
          const answer = await solveChallenge(problem.data["challenge"]);
          if (answer !== null) return send(answer);
        } else if (await isRenewed(problem)) return send();
        throw problem;
      }
    };
  const calls = { GET: call("get"), POST: call("post"), PATCH: call("patch") };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body is as the schema says
  return { ...calls, DELETE: call("delete") } as Api;
}

/** The response to a request; a Problem where none comes within some seconds. */
async function reach(request: Request, seconds = SECONDS_MAX): Promise<Response> {
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

/** A key under which a write may be repeated without a second effect. */
export function idempotencyKey(): string {
  return crypto.randomUUID();
}
