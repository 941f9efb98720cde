// Keeps the visitor's session: opens it, renews it when its keys are over, and makes calls with it.
import { answered, createApi, Problem, type Api } from "~/api/client";
import type { BoxOfficeSession } from "~/api/schema";
import { behindBy } from "./clock";

type Outcome<T> = { data?: T; error?: unknown; response: Response };
/** Makes a call with the session's keys; a token that was refused is renewed once. */
export type Ask = <T>(call: (api: Api) => Promise<Outcome<T>>) => Promise<NonNullable<T>>;

/** A session, and how far this device's clock is behind the server's, ms. */
export type OpenedSession = { session: BoxOfficeSession; behindMs: number };

const STALE_CODES: ReadonlySet<string> = new Set([
  "shopper_token_invalid",
  "key_unknown",
  "key_missing",
]);
const LINK_KEPT_AS = "bespeak.booking_link";

/** Whether a refusal says that the session's own keys are over. */
export function isStaleSession(error: unknown): boolean {
  return error instanceof Problem && error.status === 401 && STALE_CODES.has(error.code);
}

/** Asks for a session; `link` is the token of a booking's mail. */
export async function openSession(link: string | null): Promise<OpenedSession> {
  const api = createApi(() => ({}));
  const sent = Date.now();
  const body = { booking_token: link };
  const session = await answered(api.POST("/v1/box-office/session", { body }));
  return { session, behindMs: behindBy(Date.parse(session.now), sent, Date.now()) };
}

/** The token that a mail's link brought after its hash. It is taken out of the address so that
 * nobody copies it on, and kept for this tab so that a reload still sees the booking. */
export function takeLink(): string | null {
  const url = new URL(globalThis.location.href);
  if (!url.pathname.startsWith("/bookings/")) return null;
  const token = new URLSearchParams(url.hash.slice(1)).get("token");
  if (token === null) return sessionStorage.getItem(LINK_KEPT_AS);
  url.hash = "";
  history.replaceState(history.state, "", url);
  sessionStorage.setItem(LINK_KEPT_AS, token);
  return token;
}

export class SessionKeeper {
  readonly #open: (link: string | null) => Promise<OpenedSession>;
  readonly #onOpened: (opened: OpenedSession) => void;
  readonly #api: Api;
  #session: BoxOfficeSession | null = null;
  #opening: Promise<void> | null = null;
  #link: string | null;

  constructor(
    onOpened: (opened: OpenedSession) => void,
    open: (link: string | null) => Promise<OpenedSession> = openSession,
    link: string | null = takeLink(),
  ) {
    this.#onOpened = onOpened;
    this.#open = open;
    this.#link = link;
    this.#api = createApi(() => this.#headers());
  }

  /** Opens the session, or another one in its place; who asks meanwhile waits for the same. */
  renew(): Promise<void> {
    this.#opening ??= this.#opened().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  readonly ask: Ask = async (call) => {
    try {
      return await answered(call(this.#api));
    } catch (failure) {
      if (!isStaleSession(failure)) throw failure;
      await this.renew();
      return answered(call(this.#api));
    }
  };

  async #opened(): Promise<void> {
    let opened: OpenedSession;
    try {
      opened = await this.#open(this.#link);
    } catch (failure) {
      const isBadLink = failure instanceof Problem && failure.code === "booking_link_invalid";
      if (this.#link === null || !isBadLink) throw failure;
      // An old link: who follows it is still a guest like any other.
      this.#link = null;
      sessionStorage.removeItem(LINK_KEPT_AS);
      opened = await this.#open(null);
    }
    this.#session = opened.session;
    this.#onOpened(opened);
  }

  #headers(): Record<string, string> {
    if (this.#session === null) return {};
    return {
      Authorization: `Bearer ${this.#session.publishable_key}`,
      "Bespeak-Shopper": this.#session.shopper_token,
    };
  }
}
