// How requests get to the server and answers back, again and again while that may help.
import { pause } from "./pause.ts";
import { BespeakError, errorOf, invalid, unreachable } from "./problems.ts";
import { asHeader, type ApiRequest, type CallOptions, type Query } from "./requests.ts";
import { Attempts, HoldEnds } from "./retries.ts";

/** With which rights calls are made. */
export type Access = {
  /** The headers of a call, asked for before each attempt. */
  headers(): Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  /** Whether the rights were renewed after this refusal, so that the call is made once more. */
  isRenewed?(error: BespeakError): Promise<boolean>;
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

const TIMEOUT_SECONDS = 30;

/** The way to a server, and what is known of the holds that it answered. */
export class Transport {
  readonly #url: URL;
  readonly #access: Access;
  readonly #timeoutSeconds: number;
  readonly #fetch: typeof globalThis.fetch;
  readonly #holdEnds = new HoldEnds();

  constructor(options: TransportOptions, access: Access) {
    if (!URL.canParse(options.url)) throw invalid("url", "url is an address");
    this.#url = new URL(options.url);
    this.#access = access;
    this.#timeoutSeconds = options.timeoutSeconds ?? TIMEOUT_SECONDS;
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /** The address of a path. */
  address(path: string, query: Query = {}): URL {
    // Below the path of the server's own address, if it has one.
    const url = new URL(this.#url.pathname.replace(/\/$/, "") + path, this.#url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
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
    for (;;) {
      try {
        return await this.#attempt<Body>(request, options, attempts.msLeft, kind);
      } catch (error) {
        if (!(error instanceof BespeakError)) throw error;
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

  /** One attempt at a stream: its response, once the server has begun to answer. */
  async open(
    path: string,
    query: Query,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const headers = { ...(await this.#access.headers()), ...more };
    const response = await this.#fetch(this.address(path, query), { headers, signal });
    if (!response.ok) throw errorOf(response.status, await response.text(), response.headers);
    return response;
  }

  async #attempt<Body>(
    request: ApiRequest,
    { owner, signal }: CallOptions,
    ms: number,
    kind: BodyKind,
  ): Promise<Answered<Body>> {
    const headers: Record<string, string> = { ...(await this.#access.headers()) };
    if (owner !== undefined) headers["bespeak-owner"] = asHeader(owner, "owner");
    if (request.key !== undefined) headers["idempotency-key"] = request.key;
    if (request.body !== undefined) headers["content-type"] = "application/json";
    const sentMs = Date.now();
    const patience = AbortSignal.timeout(Math.ceil(ms));
    try {
      const response = await this.#fetch(this.address(request.path, request.query), {
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
