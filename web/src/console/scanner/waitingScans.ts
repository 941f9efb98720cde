// Scans that the server has not heard of yet. Each is an item of its own in this browser's storage,
// so that a reload loses none and two tabs do not overwrite each other.
import { isRecord, Problem } from "~/api/client";
import type { ScanOutcome } from "~/api/schema";
import { claimedTicket } from "./codes";

export type Scan = {
  readonly code: string;
  readonly gate: string | null;
  readonly scanned_at: string;
  readonly resource_id: string;
  readonly idempotency_key: string;
};

const PREFIX = "bespeak.scan.";
/** How many are told in one call. */
export const TOLD_MAX = 100;

export class WaitingScans {
  readonly #prefix: string;
  readonly #scans = new Map<string, Scan>();

  /** Of one resource, or of all. */
  constructor(resourceId: string | null) {
    this.#prefix = resourceId === null ? PREFIX : `${PREFIX}${resourceId}.`;
    for (let place = 0; place < localStorage.length; place += 1) {
      const name = localStorage.key(place);
      const scan = name?.startsWith(this.#prefix) === true ? stored(name) : null;
      if (scan !== null) this.#scans.set(scan.idempotency_key, scan);
    }
  }

  /** Oldest first. */
  get all(): readonly Scan[] {
    return [...this.#scans.values()].toSorted((a, b) => a.scanned_at.localeCompare(b.scanned_at));
  }

  get count(): number {
    return this.#scans.size;
  }

  /** Whether the ticket of this scan waits already. */
  hasTicketOf({ code }: Scan): boolean {
    if (this.#scans.size === 0) return false;
    const ticket = claimedTicket(code);
    const is = (other: Scan) => claimedTicket(other.code) === ticket;
    return ticket !== null && [...this.#scans.values()].some(is);
  }

  add(scan: Scan): void {
    this.#scans.set(scan.idempotency_key, scan);
    try {
      localStorage.setItem(nameOf(scan), JSON.stringify(scan));
    } catch {
      // The storage is full or closed to us: it is kept as long as the page is open.
    }
  }

  remove(scan: Scan): void {
    this.#scans.delete(scan.idempotency_key);
    localStorage.removeItem(nameOf(scan));
  }
}

/** The server as it is told what waits. Each throws the Problem of a refusal. */
export type Listener = {
  /** Refuses a resource that may not be seen from here. */
  readonly find: (resource: string) => Promise<unknown>;
  readonly tell: (
    scans: readonly Scan[],
  ) => Promise<readonly { readonly problem?: ScanOutcome["problem"] }[]>;
};

/** Tells the server all scans that wait, of whatever resource, each once, and says how many of them it
 * refused. What waits at a resource that may not be seen from here waits on: of another's tickets the
 * server would say that there are none. Throws the Problem of a call without an answer; what was not
 * answered waits on. */
export async function tellAllWaiting(server: Listener): Promise<number> {
  let refused = 0;
  const { all } = new WaitingScans(null);
  for (const resource of new Set(all.map((scan) => scan.resource_id))) {
    const scans = all.filter((scan) => scan.resource_id === resource);
    try {
      // One after the other: a door has many, and the server is busy with others.
      // oxlint-disable-next-line no-await-in-loop
      refused += await tellSome(server, resource, scans);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return refused;
}

async function tellSome(server: Listener, resource: string, scans: readonly Scan[]) {
  let refused = 0;
  const waiting = new WaitingScans(resource);
  await server.find(resource);
  for (let at = 0; at < scans.length; at += TOLD_MAX) {
    const told = scans.slice(at, at + TOLD_MAX);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const outcomes = await server.tell(told);
    refused += outcomes.filter(({ problem }) => Boolean(problem)).length;
    for (const scan of told) waiting.remove(scan);
  }
  return refused;
}

/** Somebody has said no, and would again. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429
  );
}

function nameOf({ resource_id: resource, idempotency_key: key }: Scan): string {
  return `${PREFIX}${resource}.${key}`;
}

function stored(name: string): Scan | null {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(name) ?? "null");
    if (!isRecord(found)) return null;
    const { code, gate, scanned_at, resource_id, idempotency_key } = found;
    const texts = [code, scanned_at, resource_id, idempotency_key];
    if (!texts.every((text) => typeof text === "string")) return null;
    return {
      code: String(code),
      gate: typeof gate === "string" ? gate : null,
      scanned_at: String(scanned_at),
      resource_id: String(resource_id),
      idempotency_key: String(idempotency_key),
    };
  } catch {
    return null;
  }
}
