// Opens the visitor's session, renews it when it expires, and makes calls with it.
import { behindBy } from "@bespeak/browser";
import { createApi, Problem, type Api, type Asked } from "~/api/client";
import type { BoxOfficeSession } from "~/api/internal";
import { askAhead, takingAhead, type First } from "./askedAhead";
import { bookingLinks } from "./bookings/links";
import { noteRefusal, passHeaders } from "./passes";
import { entryLinks } from "./waitlist/links";

/** A session, and how far this device's clock is behind the server's, in ms. */
export type OpenedSession = { session: BoxOfficeSession; behindMs: number };

const STALE_CODES: ReadonlySet<string> = new Set([
  "shopper_token_invalid",
  "key_unknown",
  "key_missing",
]);
// What goes along with the calls of a mail's page, and the code where it opens nothing any more.
const LINKS = [
  { links: bookingLinks, header: "Bespeak-Booking-Link", over: "booking_link_invalid" },
  { links: entryLinks, header: "Bespeak-Waitlist-Link", over: "waitlist_link_invalid" },
] as const;

function isStaleSession({ status, code }: Problem): boolean {
  return status === 401 && STALE_CODES.has(code);
}

/** What firstCall.js has begun: when it asked, and when the answer came. */
type FirstCall = { sentMs: number; cameMs?: number; answer: Promise<Response> };
declare global {
  var bespeakSession: FirstCall | undefined;
}

/** Opens a session: that of the visitor whom this browser remembers, or of a new one. The first one of a page
 * is on its way already. */
export async function openSession(): Promise<OpenedSession> {
  let sentMs = 0;
  let cameMs = 0;
  const send: typeof fetch = async (...request) => {
    const first = globalThis.bespeakSession;
    globalThis.bespeakSession = undefined;
    sentMs = first?.sentMs ?? Date.now();
    const answer = await (first?.answer ?? globalThis.fetch(...request));
    cameMs = first?.cameMs ?? Date.now();
    return answer;
  };
  const api = createApi(() => ({}), undefined, undefined, send);
  const session = await api.POST("/v1/box-office/session");
  return { session, behindMs: behindBy(Date.parse(session.now), sentMs, cameMs) };
}

let ahead: Promise<OpenedSession> | null = null;

/** Opens the page's first session before there is a keeper, and asks for what the page needs first. */
export async function openAhead(first: readonly First[]): Promise<void> {
  ahead = openSession();
  const { session, behindMs } = await ahead;
  const api = createApi(() => headersOf(session));
  askAhead(api, first, behindMs);
}

function headersOf(session: BoxOfficeSession): Record<string, string> {
  return {
    Authorization: `Bearer ${session.publishable_key}`,
    "Bespeak-Shopper": session.shopper_token,
  };
}

function linkHeaders(): Record<string, string> {
  const found = LINKS.map(({ links, header }) => [header, links.ofPage()] as const);
  return Object.fromEntries(
    found.filter((pair): pair is [(typeof pair)[0], string] => pair[1] !== null),
  );
}

/** The session that was opened ahead, once; then a new one. */
function openNext(): Promise<OpenedSession> {
  const opened = ahead ?? openSession();
  ahead = null;
  return opened;
}

export class SessionKeeper {
  readonly #open: () => Promise<OpenedSession>;
  readonly #onOpened: (opened: OpenedSession) => void;
  /** Calls with the session's keys; an expired token is renewed once. */
  readonly api: Api;
  #session: BoxOfficeSession | null = null;
  #opening: Promise<void> | null = null;

  constructor(
    onOpened: (opened: OpenedSession) => void,
    open: () => Promise<OpenedSession> = openNext,
  ) {
    this.#onOpened = onOpened;
    this.#open = open;
    for (const { links } of LINKS) links.take();
    const api = createApi(
      (asked) => this.#headers(asked),
      async (problem) => {
        noteRefusal(problem);
        // A link that is over: as who this browser is, it may still be the visitor's own.
        const ended = LINKS.find(({ over }) => problem.code === over);
        if (ended !== undefined) return ended.links.dropOfPage();
        if (!isStaleSession(problem)) return false;
        await this.renew();
        return true;
      },
    );
    this.api = takingAhead(api);
  }

  /** Opens or renews the session; concurrent calls share one request. */
  renew(): Promise<void> {
    this.#opening ??= this.#opened().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #opened(): Promise<void> {
    const opened = await this.#open();
    this.#session = opened.session;
    this.#onOpened(opened);
  }

  #headers({ method, body }: Asked): Record<string, string> {
    if (this.#session === null) return {};
    return {
      ...headersOf(this.#session),
      ...passHeaders(method, body),
      ...linkHeaders(),
    };
  }
}
