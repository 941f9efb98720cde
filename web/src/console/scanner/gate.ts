// A gate: it judges scans one after the other, by the server while that answers, else by the
// signature and by who is known to be in. What it let in by itself is told as soon as it can be.
import { idempotencyKey, Problem } from "~/api/client";
import type { CheckIn, CheckInPage, PublicKeys, ScanOutcome } from "~/api/schema";
import { TicketKeys, type PublicKey } from "./codes";
import type { GateShelf } from "./gateShelf";
import { TOLD_MAX, WaitingScans, type Scan } from "./waitingScans";

/** The server as a gate needs it. Each throws the Problem of a refusal. */
export type Door = {
  readonly checkIn: (scan: Scan) => Promise<CheckIn>;
  readonly tell: (scans: readonly Scan[]) => Promise<readonly ScanOutcome[]>;
  readonly list: (after: string | null) => Promise<CheckInPage>;
  readonly keys: () => Promise<PublicKeys>;
};

/** What became of a scan. `isLate`: it was let in without the server, which refused it later. */
export type Verdict = {
  readonly id: string;
  readonly at: string;
  readonly unit: string | null;
  readonly outcome: "in" | "in_offline" | "refused";
  readonly problem: Problem | null;
  readonly isLate: boolean;
};

export type GateState = {
  readonly isOnline: boolean;
  /** How many are in; null before the server said so. */
  readonly inside: number | null;
  /** When the server last said who is in; null before. */
  readonly asOf: string | null;
  /** What is scanned for, as far as that is known. */
  readonly name: string;
  /** How many scans the server has not heard of. */
  readonly waiting: number;
  /** The latest first. */
  readonly verdicts: readonly Verdict[];
};

const REFRESH_MS = 5000;
const SHOWN_MAX = 20;
const PAGES_MAX = 50;

export class Gate {
  readonly #door: Door;
  readonly #resource: string;
  readonly #waiting: WaitingScans;
  readonly #inside = new Set<string>();
  readonly #watchers = new Set<() => void>();
  readonly #shelf: GateShelf;
  /** Who is in and is not kept yet. */
  readonly #unkept = new Set<string>();
  #keys: TicketKeys | null = null;
  #publicKeys: readonly PublicKey[] = [];
  #counted = 0;
  #restored: Promise<void> | null = null;
  #isListed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = true;
  state: GateState;

  constructor(resource: string, door: Door, shelf: GateShelf) {
    this.#resource = resource;
    this.#door = door;
    this.#shelf = shelf;
    this.#waiting = new WaitingScans(resource);
    const waiting = this.#waiting.count;
    this.state = { isOnline: true, inside: null, asOf: null, name: "", waiting, verdicts: [] };
  }

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Learns the keys and who is in, now and every few seconds. */
  start(): void {
    this.#isStopped = false;
    const look = async () => {
      await this.refresh();
      if (!this.#isStopped) this.#timer = setTimeout(() => void look(), REFRESH_MS);
    };
    void look();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Has the name kept with the rest. */
  call(name: string): void {
    if (name !== this.state.name) this.#become({ name });
  }

  /** Judges a code that was scanned or typed, at the gate of this name. */
  async scan(text: string, gate = ""): Promise<Verdict> {
    await this.#restore();
    const scan: Scan = {
      code: text.trim(),
      gate: gate || null,
      scanned_at: new Date().toISOString(),
      resource_id: this.#resource,
      idempotency_key: idempotencyKey(),
    };
    const verdict = await this.#judge(scan);
    this.#show(verdict);
    return verdict;
  }

  /** Asks the server what it knows, and tells it what it does not. */
  async refresh(): Promise<void> {
    await this.#restore();
    try {
      if (!(await this.#learn())) return;
      this.#become({ isOnline: true });
      await this.#tell();
    } catch (error) {
      if (isUnanswered(error)) this.#become({ isOnline: false });
    }
  }

  /** Learns the keys and who is in, and keeps both. What may not be read here any more is forgotten. */
  async #learn(): Promise<boolean> {
    try {
      this.#keys = await this.#fetchKeys();
      await this.#listInside();
    } catch (error) {
      if (!isForbidden(error)) throw error;
      await this.#forget();
      return false;
    }
    void this.#keep();
    return true;
  }

  /** Takes up what is kept from before this page was loaded: once, before anything else. */
  #restore(): Promise<void> {
    this.#restored ??= this.#takeUp();
    return this.#restored;
  }

  async #takeUp(): Promise<void> {
    const kept = await this.#shelf.read(this.#resource);
    if (kept === null) return;
    const { name, keys, count, as_of: asOf } = kept.gate;
    this.#keys = await TicketKeys.from(keys).catch(() => null);
    [this.#publicKeys, this.#counted] = [keys, count];
    for (const ticket of kept.tickets) this.#inside.add(ticket);
    // What was let in the moment before the page went may only be among those that wait.
    for (const scan of this.#waiting.all) {
      // oxlint-disable-next-line no-await-in-loop -- a handful, and each is a few microseconds
      const code = await this.#keys?.read(scan.code);
      if (code) this.#inside.add(code.ticket);
    }
    const inside = Math.max(this.#inside.size, count);
    this.#become({ inside, asOf, name: this.state.name || name });
  }

  /** Keeps what is known for a page that is loaded without a network. */
  async #keep(): Promise<void> {
    const { asOf, name } = this.state;
    if (asOf === null) return;
    const entered = [...this.#unkept];
    this.#unkept.clear();
    const [resource, keys, count] = [this.#resource, this.#publicKeys, this.#counted];
    const isKept = await this.#shelf.keep({ resource, name, keys, count, as_of: asOf }, entered);
    // What a storage did not take is kept with the next.
    if (!isKept) for (const ticket of entered) this.#unkept.add(ticket);
  }

  /** Whoever is here may not check in here any more. */
  async #forget(): Promise<void> {
    this.#keys = null;
    this.#inside.clear();
    this.#unkept.clear();
    this.#isListed = false;
    this.#become({ inside: null, asOf: null, isOnline: true });
    await this.#shelf.forget(this.#resource);
  }

  /** Who was let in without the server does not come in again by it, as long as it has not heard of
   * that. */
  async #judge(scan: Scan): Promise<Verdict> {
    if (this.#waiting.hasTicketOf(scan)) return refused(scan, "already_checked_in");
    return this.state.isOnline ? this.#byServer(scan) : this.#bySignature(scan);
  }

  async #byServer(scan: Scan): Promise<Verdict> {
    try {
      const found = await this.#door.checkIn(scan);
      this.#enter(found.id);
      return verdictOf(scan, "in", found.unit);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!isUnanswered(error)) return verdictOf(scan, "refused", null, error);
      this.#become({ isOnline: false });
      return this.#bySignature(scan);
    }
  }

  /** If the server did hear of it and only its answer was lost, it is told the same once more, which
   * it recognizes by the key. */
  async #bySignature(scan: Scan): Promise<Verdict> {
    if (this.#keys === null) return refused(scan, "gate_without_keys");
    const code = await this.#keys.read(scan.code);
    if (code === null) return refused(scan, "ticket_code_invalid");
    if (code.resource !== this.#resource) {
      return refused(scan, "wrong_resource", { admits_to: code.resource });
    }
    if (this.#inside.has(code.ticket)) return refused(scan, "already_checked_in");
    this.#waiting.add(scan);
    this.#enter(code.ticket);
    return verdictOf(scan, "in_offline", code.unit);
  }

  async #fetchKeys(): Promise<TicketKeys | null> {
    const { keys } = await this.#door.keys();
    this.#publicKeys = keys;
    // A browser that cannot verify works with the server alone.
    return TicketKeys.from(keys).catch(() => null);
  }

  /** All pages at first, later the latest, since the rest is known. */
  async #listInside(): Promise<void> {
    let after: string | null = null;
    let count = 0;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const found: CheckInPage = await this.#door.list(after);
      if (page === 0) count = found.count;
      for (const { id } of found.items) this.#enters(id);
      after = found.next;
      if (this.#isListed || after === null) break;
    }
    this.#isListed = true;
    this.#counted = count;
    const asOf = new Date().toISOString();
    this.#become({ inside: count + this.#waiting.count, asOf });
  }

  async #tell(): Promise<void> {
    const told = this.#waiting.all.slice(0, TOLD_MAX);
    if (told.length === 0) return;
    const outcomes = await this.#door.tell(told);
    for (const [place, scan] of told.entries()) {
      this.#waiting.remove(scan);
      const problem = outcomes[place]?.problem;
      if (!problem) continue;
      const late = verdictOf(scan, "refused", null, new Problem(409, problem));
      this.#show({ ...late, isLate: true });
    }
    this.#become({ waiting: this.#waiting.count });
  }

  #enter(ticket: string): void {
    if (!this.#enters(ticket)) return;
    const { inside } = this.state;
    this.#become({ inside: inside === null ? null : inside + 1, waiting: this.#waiting.count });
    void this.#keep();
  }

  /** Whether it is new that somebody is in. */
  #enters(ticket: string): boolean {
    if (this.#inside.has(ticket)) return false;
    this.#inside.add(ticket);
    this.#unkept.add(ticket);
    return true;
  }

  #show(verdict: Verdict): void {
    this.#become({ verdicts: [verdict, ...this.state.verdicts].slice(0, SHOWN_MAX) });
  }

  #become(changed: Partial<GateState>): void {
    this.state = { ...this.state, ...changed };
    for (const watcher of this.#watchers) watcher();
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof Problem && (error.status === 401 || error.status === 403);
}

/** Nobody has said yes or no: no answer, a server that is down, or one that is busy. */
function isUnanswered(error: unknown): boolean {
  return (
    error instanceof Problem && (error.status < 400 || error.status >= 500 || error.status === 429)
  );
}

function refused(scan: Scan, code: string, data: object = {}): Verdict {
  return verdictOf(scan, "refused", null, new Problem(409, { code, ...data }));
}

function verdictOf(
  scan: Scan,
  outcome: Verdict["outcome"],
  unit: string | null,
  problem: Problem | null = null,
): Verdict {
  const { idempotency_key: id, scanned_at: at } = scan;
  return { id, at, unit, outcome, problem, isLate: false };
}
