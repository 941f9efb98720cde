// The queue tokens of this browser, one for each waiting room: they survive a reload, and all tabs have
// the same. A link from another device brings one in its fragment, which no server sees.
import { isRecord } from "~/api/record";
import { readStored } from "~/api/stored";

export type KeptToken = {
  readonly token: string;
  /** What is behind the room, as far as it was told. */
  readonly resources: readonly string[];
  /** The hashes of the seed as they were shown before the sale: one, unless an opening was taken back. The
   * first stays the first. */
  readonly seedHashes: readonly string[];
  /** Since when the turn is called, in ms since 1970; null: it was not seen. */
  readonly calledAt: number | null;
  /** From where the visitor came, and goes back. */
  readonly back: string | null;
};

const PREFIX = "bespeak.queue.";
const TOKEN = /^[\w-]{56}$/;
const BACK = /^\/(?![/\\])[^\s]{0,500}$/;
const HASHES_MAX = 5;
const watchers = new Set<() => void>();

export function keptToken(roomId: string): KeptToken | null {
  const found = readStored(localStorage, PREFIX + roomId);
  if (found === null || !isRecord(found)) return null;
  const { token, resources, calledAt, back } = found;
  if (typeof token !== "string" || !TOKEN.test(token)) return null;
  return {
    token,
    resources: textsOf(resources),
    seedHashes: hashesOf(found),
    calledAt: typeof calledAt === "number" ? calledAt : null,
    back: typeof back === "string" ? pathBack(back) : null,
  };
}

/** As they were noted; one alone by versions before. */
function hashesOf({ seedHashes, seedHash }: Record<string, unknown>): readonly string[] {
  return typeof seedHash === "string" ? [seedHash] : textsOf(seedHashes).slice(0, HASHES_MAX);
}

function textsOf(found: unknown): readonly string[] {
  return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
}

/** The hashes with one more: the first that was seen stays, and so do the last ones. */
export function withHash(seen: readonly string[], hash: string): readonly string[] {
  if (seen.includes(hash)) return seen;
  const [first, ...others] = [...seen, hash];
  return first === undefined ? [] : [first, ...others.slice(1 - HASHES_MAX)];
}

export function keepToken(roomId: string, kept: KeptToken): void {
  localStorage.setItem(PREFIX + roomId, JSON.stringify(kept));
  for (const watcher of watchers) watcher();
}

export function dropToken(roomId: string): void {
  localStorage.removeItem(PREFIX + roomId);
  for (const watcher of watchers) watcher();
}

export function storedToken(roomId: string): string {
  return localStorage.getItem(PREFIX + roomId) ?? "";
}

/** Calls back when a token changes, also in another tab. Gives what ends that. */
export function watchTokens(watcher: () => void): () => void {
  watchers.add(watcher);
  globalThis.addEventListener("storage", watcher);
  return () => {
    watchers.delete(watcher);
    globalThis.removeEventListener("storage", watcher);
  };
}

/** The room that this browser knows a resource to be behind. */
export function knownRoomOf(resourceId: string): string | null {
  const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
  const rooms = names.flatMap((name) => (name.startsWith(PREFIX) ? name.slice(PREFIX.length) : []));
  return rooms.find((room) => keptToken(room)?.resources.includes(resourceId)) ?? null;
}

/** A path of this shop to go back to, or null: no address may lead elsewhere. */
export function pathBack(text: string | null): string | null {
  return text !== null && BACK.test(text) ? text : null;
}

/** The token in the page's address, once: it is taken out, so that nobody copies it with the address. */
export function takeTokenOfLink(): string | null {
  const { hash, pathname, search } = globalThis.location;
  const token = new URLSearchParams(hash.slice(1)).get("token");
  if (token === null) return null;
  history.replaceState(history.state, "", pathname + search);
  return TOKEN.test(token) ? token : null;
}

export function linkWith(roomId: string, token: string): string {
  return `${globalThis.location.origin}/waiting/${encodeURIComponent(roomId)}#token=${token}`;
}
