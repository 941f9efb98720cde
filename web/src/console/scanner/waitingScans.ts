// Scans that the server has not heard of yet. Each is an item of its own in this browser's storage,
// so that a reload loses none and two tabs do not overwrite each other.
import { isRecord } from "~/api/client";

export type Scan = {
  readonly code: string;
  readonly gate: string | null;
  readonly scanned_at: string;
  readonly resource_id: string;
  readonly idempotency_key: string;
};

const PREFIX = "bespeak.scan.";

export class WaitingScans {
  readonly #prefix: string;
  readonly #scans = new Map<string, Scan>();

  constructor(resourceId: string) {
    this.#prefix = `${PREFIX}${resourceId}.`;
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

  add(scan: Scan): void {
    this.#scans.set(scan.idempotency_key, scan);
    try {
      localStorage.setItem(this.#prefix + scan.idempotency_key, JSON.stringify(scan));
    } catch {
      // The storage is full or closed to us: it is kept as long as the page is open.
    }
  }

  remove({ idempotency_key: key }: Scan): void {
    this.#scans.delete(key);
    localStorage.removeItem(this.#prefix + key);
  }
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
