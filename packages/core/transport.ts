// How requests get to the server and answers back, again and again while that may help.
import { pause } from "./pause.ts";
import { BespeakError, errorOf, invalid, unreachable } from "./problems.ts";
import { addressOf } from "./address.ts";
import type { LiveSource } from "./live.ts";
import { asHeader, PASS_LENGTH_MAX, type ApiRequest, type CallOptions } from "./requests.ts";
import { Attempts, HoldEnds } from "./retries.ts";

/** With which rights calls are made. */
export type Access = {
  /** The headers of a call, asked for before each attempt; of a live stream, without a request. */
  headers(
    request?: ApiRequest,
  ): Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  /** Whether the rights were renewed after this refusal, so that the call is made once more. */
  isRenewed?(error: BespeakError): Promise<boolean>;
  /** What the call is made once more with after this refusal, as the answer to a challenge. */
  headersAfter?(error: BespeakError): Promise<Readonly<Record<string, string>> | null>;
  /** Is told of each answer, and when it was asked for and came, by this machine's clock. */
  onAnswer?(body: unknown, sentMs: number, receivedMs: number): void;
};

export type TransportOptions = {
  /** Where the server is, as `https://tickets.example`. */
  readonly url: string;
  /** For how long a verb tries, unless it is told otherwise: 30 seconds. */
  readonly timeoutSeconds?: number;
  /** Another `fetch`, as for a proxy. */
  readonly fetch?: typeof globalThis.fetch;
};

/** An answer: its body, whether it is that of an earlier request, and its response. */
export type Answered<Body> = {
  readonly body: Body;
  readonly isReplayed: boolean;
  readonly response: Response;
};
export type BodyKind = "json" | "text" | "blob";

/** The header in which the answer to a challenge goes. */
export const CHALLENGE_HEADER = "bespeak-challenge";

const TIMEOUT_SECONDS = 30;
/** The longest that a timer takes. */
const TIMER_MS_MAX = 2_147_483_647;

/** The way to a server, and what is known of the holds that it answered. */
export class Transport {
  readonly #url: string;
  readonly #access: Access;
  readonly #timeoutSeconds: number;
  readonly #fetch: typeof globalThis.fetch;
  readonly #holdEnds = new HoldEnds();

  constructor(options: TransportOptions, access: Access) {
    if (!URL.canParse(options.url)) throw invalid("url", "url is an address");
    this.#url = options.url;
    this.#access = access;
    this.#timeoutSeconds = options.timeoutSeconds ?? TIMEOUT_SECONDS;
    this.#fetch = options.fetch ?? ((...call) => globalThis.fetch(...call));
  }

  /** Where live streams come from: the same server, with the same rights. */
  get liveSource(): LiveSource {
    return { url: this.#url, headers: () => this.#access.headers(), fetch: this.#fetch };
  }

  /** Sends a request until it is answered or its time is over. Throws BespeakError, and the reason of
   * an abort. `Body` is what the API's document says of this call. */
  async send<Body>(
    request: ApiRequest,
    options: CallOptions = {},
    kind: BodyKind = "json",
  ): Promise<Answered<Body>> {
    const ends = this.#holdEnds.of(request.holdId);
    const attempts = new Attempts(request, options.timeoutSeconds ?? this.#timeoutSeconds, ends);
    let mayRenew = true;
    let mayAnswer = true;
    let answer: Readonly<Record<string, string>> | null = null;
    for (;;) {
      try {
        return await this.#attempt<Body>(request, options, attempts.msLeft, kind, answer);
      } catch (error) {
        if (!(error instanceof BespeakError)) throw error;
        const next: Readonly<Record<string, string>> | null = mayAnswer
          ? ((await this.#access.headersAfter?.(error)) ?? null)
          : null;
        // An answer is good once. A call that ended otherwise may have used it up: the next one may need another.
        mayAnswer = next === null;
        if (next !== null) {
          answer = next;
          continue;
        }
        if (mayRenew && (await this.#access.isRenewed?.(error)) === true) {
          mayRenew = false;
          continue;
        }
        const ms = attempts.pause(error);
        if (ms === null) throw error;
        await pause(ms, options.signal);
      }
    }
  }

  async #attempt<Body>(
    request: ApiRequest,
    { owner, pass, signal }: CallOptions,
    ms: number,
    kind: BodyKind,
    answer: Readonly<Record<string, string>> | null,
  ): Promise<Answered<Body>> {
    const own = await this.#access.headers(request);
    const headers: Record<string, string> = { ...own, ...answer };
    if (owner !== undefined) headers["bespeak-owner"] = asHeader(owner, "owner");
    if (pass !== undefined) headers["bespeak-pass"] = asHeader(pass, "pass", PASS_LENGTH_MAX);
    if (request.key !== undefined) headers["idempotency-key"] = request.key;
    if (request.body !== undefined) headers["content-type"] = "application/json";
    const sentMs = Date.now();
    const patience = AbortSignal.timeout(Math.min(Math.ceil(ms), TIMER_MS_MAX));
    try {
      const response = await this.#fetch(addressOf(this.#url, request.path, request.query), {
        method: request.method,
        headers,
        signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      });
      if (!response.ok) throw errorOf(response.status, await response.text(), response.headers);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the API's document says
      const body = (await response[kind]()) as Body;
      this.#holdEnds.note(body);
      this.#access.onAnswer?.(body, sentMs, Date.now());
      return { body, isReplayed: response.headers.has("idempotent-replayed"), response };
    } catch (error) {
      if (error instanceof BespeakError) throw error;
      signal?.throwIfAborted();
      throw unreachable(error instanceof Error ? error.message : String(error), error);
    }
  }
}
