// What a gate knows, kept in this browser for the time without a network: the public keys, who is in by
// the numbers of their tickets, and of when that is. No name of a guest and no code of a ticket is here.
import type { PublicKey } from "./codes";

export type KeptGate = {
  readonly resource: string;
  readonly name: string;
  readonly keys: readonly PublicKey[];
  /** How many the server said are in. */
  readonly count: number;
  /** When the server said it. */
  readonly as_of: string;
};

export type GateShelf = {
  /** What is kept of a gate, with the tickets that are in. */
  readonly read: (
    resource: string,
  ) => Promise<{ readonly gate: KeptGate; readonly tickets: readonly string[] } | null>;
  /** Whether it was kept. */
  readonly keep: (gate: KeptGate, tickets: readonly string[]) => Promise<boolean>;
  readonly forget: (resource: string) => Promise<void>;
};

const DATABASE = "bespeak-gates";
const GATES = "gates";
const TICKETS = "tickets";
const KEPT_MS = 7 * 86_400_000;
const GATES_MAX = 20;
const PATIENCE_MS = 2000;

/** Closed while nobody may check in here: what a page still wanted to keep is not. */
let isOpen = false;

/** Lets gates be kept: somebody who may check in is logged in. */
export function openShelf(): void {
  isOpen = true;
}

/** Forgets all gates, and keeps none until it is opened again. */
export async function clearShelf(): Promise<void> {
  isOpen = false;
  await run("readwrite", ({ gates, tickets }) => {
    gates.clear();
    tickets.clear();
  });
}

export const gateShelf: GateShelf = {
  read: async (resource) => {
    const found = await run("readonly", ({ gates, tickets }) => ({
      gate: gates.get(resource),
      tickets: tickets.getAllKeys(rangeOf(resource)),
    }));
    const gate: KeptGate | undefined = found?.gate.result;
    if (found === null || gate === undefined || isOld(gate)) return null;
    const prefix = `${resource} `.length;
    return { gate, tickets: found.tickets.result.map((key) => String(key).slice(prefix)) };
  },
  keep: async (gate, entered) => {
    if (!isOpen) return false;
    const done = await run("readwrite", ({ gates, tickets }) => {
      gates.put(gate);
      for (const ticket of entered) tickets.put(true, `${gate.resource} ${ticket}`);
      return true;
    });
    return done === true;
  },
  forget: async (resource) => {
    await run("readwrite", (stores) => drop(stores, resource));
  },
};

/** The gates that are kept, the latest first. Old ones, and those that are too many, are forgotten. */
export async function keptGates(): Promise<readonly KeptGate[]> {
  const found = await run("readonly", ({ gates }) => gates.getAll());
  const all: KeptGate[] = found?.result ?? [];
  const sorted = all.toSorted((one, other) => other.as_of.localeCompare(one.as_of));
  const good = sorted.filter((gate) => !isOld(gate)).slice(0, GATES_MAX);
  const others = sorted.filter((gate) => !good.includes(gate));
  if (others.length > 0) {
    await run("readwrite", (stores) => {
      for (const { resource } of others) drop(stores, resource);
    });
  }
  return good;
}

function isOld({ as_of: at }: KeptGate): boolean {
  return !(Date.now() - Date.parse(at) < KEPT_MS);
}

type Stores = { readonly gates: IDBObjectStore; readonly tickets: IDBObjectStore };

function drop({ gates, tickets }: Stores, resource: string): void {
  gates.delete(resource);
  tickets.delete(rangeOf(resource));
}

function rangeOf(resource: string): IDBKeyRange {
  return IDBKeyRange.bound(`${resource} `, `${resource} \uffff`);
}

/** Does something in one transaction; null where this browser keeps nothing, and then the gate works as
 * long as its page is open. */
async function run<Asked>(
  mode: IDBTransactionMode,
  does: (stores: Stores) => Asked,
): Promise<Asked | null> {
  try {
    const database = await opened();
    try {
      return await new Promise<Asked>((done, failed) => {
        const transaction = database.transaction([GATES, TICKETS], mode);
        const [gates, tickets] = [GATES, TICKETS].map((name) => transaction.objectStore(name));
        if (gates === undefined || tickets === undefined) throw new Error("a store is missing");
        const asked = does({ gates, tickets });
        transaction.addEventListener("complete", () => done(asked));
        transaction.addEventListener("abort", () => failed(transaction.error));
      });
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

/** A browser whose storage does not answer keeps nothing: a gate must not wait for it. */
function opened(): Promise<IDBDatabase> {
  return new Promise((done, failed) => {
    const asked = indexedDB.open(DATABASE, 1);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      failed(new Error("the storage does not answer"));
    }, PATIENCE_MS);
    asked.addEventListener("upgradeneeded", () => {
      asked.result.createObjectStore(GATES, { keyPath: "resource" });
      asked.result.createObjectStore(TICKETS);
    });
    asked.addEventListener("success", () => {
      clearTimeout(timer);
      if (isLate) asked.result.close();
      else done(asked.result);
    });
    asked.addEventListener("error", () => {
      clearTimeout(timer);
      failed(asked.error);
    });
  });
}
