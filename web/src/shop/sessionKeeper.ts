// Opens the visitor's session, renews it when it expires, and makes calls with it.
import { behindBy } from "@bespeak/browser";
import { createApi, Problem, type Api } from "~/api/client";
import type { BoxOfficeSession } from "~/api/internal";

/** A session, and how far this device's clock is behind the server's, in ms. */
export type OpenedSession = { session: BoxOfficeSession; behindMs: number };

const STALE_CODES: ReadonlySet<string> = new Set([
  "shopper_token_invalid",
  "key_unknown",
  "key_missing",
]);
const LINK_KEPT_AS = "bespeak.booking_link";

function isStaleSession({ status, code }: Problem): boolean {
  return status === 401 && STALE_CODES.has(code);
}

/** Opens a session; `link` is the token of a link in a mail. */
export async function openSession(link: string | null): Promise<OpenedSession> {
  const api = createApi(() => ({}));
  const sent = Date.now();
  const body = { booking_token: link };
  const session = await api.POST("/v1/box-office/session", { body });
  return { session, behindMs: behindBy(Date.parse(session.now), sent, Date.now()) };
}

/** The token in the hash of a mail's link. It is removed from the address, so that it is not copied
 * on, and stored for this tab, so that a reload works. */
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
  /** Calls with the session's keys; an expired token is renewed once. */
  readonly api: Api;
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
    this.api = createApi(
      () => this.#headers(),
      async (problem) => {
        if (!isStaleSession(problem)) return false;
        await this.renew();
        return true;
      },
    );
  }

  /** Opens or renews the session; concurrent calls share one request. */
  renew(): Promise<void> {
    this.#opening ??= this.#opened().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #opened(): Promise<void> {
    let opened: OpenedSession;
    try {
      opened = await this.#open(this.#link);
    } catch (failure) {
      const isBadLink = failure instanceof Problem && failure.code === "booking_link_invalid";
      if (this.#link === null || !isBadLink) throw failure;
      // An expired link: continue as a guest.
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
