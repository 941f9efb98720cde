// @vitest-environment happy-dom
// The gate against a server that this test plays: what it is told, and what becomes of each scan.
import { beforeEach, expect, test } from "vitest";
import { Problem, UNREACHABLE } from "~/api/client";
import type { CheckIn, ScanOutcome } from "~/api/schema";
import { Gate, type Door } from "./gate";
import type { GateShelf, KeptGate } from "./gateShelf";
import { tellAllWaiting, type Scan } from "./waitingScans";

const RESOURCE = "res_kbq6mf4p";
const BOOKING = "01m7y6w42jh6q8wthwjrpctn25";
const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const json = (value: unknown) => encode(new TextEncoder().encode(JSON.stringify(value)));

const { privateKey, publicKey } = await crypto.subtle.generateKey("Ed25519", true, [
  "sign",
  "verify",
]);
const { x = "" } = await crypto.subtle.exportKey("jwk", publicKey);
const KEYS = { keys: [{ kid: "k1", kty: "OKP", crv: "Ed25519", alg: "Ed25519", use: "sig", x }] };

async function ticket(index: number, resource = RESOURCE): Promise<string> {
  const payload = [BOOKING, index, resource.slice("res_".length), `F${index}`, null];
  const signed = `${json({ alg: "Ed25519", kid: "k1" })}.${json(payload)}`;
  const bytes = new TextEncoder().encode(signed);
  const signature = await crypto.subtle.sign("Ed25519", privateKey, bytes);
  return `${signed}.${encode(new Uint8Array(signature))}`;
}

/** A server with the network to it. */
class Server implements Door {
  isThere = true;
  losesAnswers = false;
  allows = true;
  /** What is of another workspace, or out of the key's bounds. */
  readonly hidden = new Set<string>();
  readonly seen: Scan[] = [];
  readonly told: Scan[] = [];
  outcome: (scan: Scan) => ScanOutcome = () => ({ outcome: "checked_in" }) as ScanOutcome;

  checkIn = async (scan: Scan): Promise<CheckIn> => {
    this.#reach();
    this.seen.push(scan);
    if (this.losesAnswers) throw lost();
    return checkIn(1);
  };
  tell = async (scans: readonly Scan[]) => {
    this.#reach();
    this.told.push(...scans);
    return scans.map(this.outcome);
  };
  find = async (resource: string) => {
    this.#reach();
    if (this.hidden.has(resource)) throw new Problem(404, { code: "resource_not_found" });
  };
  list = async () => {
    this.#reach();
    return { items: [checkIn(9)], count: 1, next: null };
  };
  keys = async () => {
    this.#reach();
    return KEYS;
  };

  #reach(): void {
    if (!this.isThere) throw lost();
    if (!this.allows) throw new Problem(403, { code: "scope_missing" });
  }
}

const lost = () => new Problem(0, { code: UNREACHABLE });
const checkIn = (index: number): CheckIn => ({
  id: `bkg_${BOOKING}-${index}`,
  booking_id: `bkg_${BOOKING}`,
  index,
  resource_id: RESOURCE,
  unit: `F${index}`,
  gate: null,
  checked_in_at: "2026-11-22T19:00:00Z",
  recorded_at: "2026-11-22T19:00:00Z",
});

/** What a browser keeps over a reload. */
class Shelf implements GateShelf {
  gate: KeptGate | null = null;
  readonly tickets = new Set<string>();

  read = async () => (this.gate === null ? null : { gate: this.gate, tickets: [...this.tickets] });
  isStuck = false;
  keep = async (gate: KeptGate, entered: readonly string[]) => {
    if (this.isStuck) return false;
    this.gate = gate;
    for (const one of entered) this.tickets.add(one);
    return true;
  };
  forget = async () => {
    this.gate = null;
    this.tickets.clear();
  };
}

let server: Server;
let shelf: Shelf;
let gate: Gate;

beforeEach(async () => {
  localStorage.clear();
  server = new Server();
  shelf = new Shelf();
  gate = new Gate(RESOURCE, server, shelf);
  await gate.refresh();
});

test("the server lets in, and the count goes up", async () => {
  const verdict = await gate.scan(await ticket(1), "North");
  expect(verdict).toMatchObject({ outcome: "in", unit: "F1" });
  expect(gate.state.inside).toBe(2);
  expect(server.seen[0]).toMatchObject({ gate: "North", resource_id: RESOURCE });
});

test("without network a ticket is judged by its signature, and told afterwards", async () => {
  server.isThere = false;
  expect(await gate.scan(await ticket(1))).toMatchObject({ outcome: "in_offline", unit: "F1" });
  expect(gate.state).toMatchObject({ isOnline: false, waiting: 1, inside: 2 });
  server.isThere = true;
  await gate.refresh();
  expect(server.told).toHaveLength(1);
  expect(gate.state).toMatchObject({ isOnline: true, waiting: 0 });
});

test("a scan whose answer was lost is told again as the same", async () => {
  server.losesAnswers = true;
  await gate.scan(await ticket(1), "North");
  await gate.refresh();
  expect(server.told).toEqual(server.seen);
});

test("without network nobody comes in twice, here or where others were before", async () => {
  server.isThere = false;
  const first = await ticket(1);
  await gate.scan(first);
  for (const again of [first, await ticket(9)]) {
    const verdict = await gate.scan(again);
    expect(verdict.problem?.code).toBe("already_checked_in");
  }
  expect(gate.state.waiting).toBe(1);
});

test("without network a forged code and another show's ticket are refused", async () => {
  server.isThere = false;
  const good = await ticket(1);
  const [head, , signature] = good.split(".");
  const forged = `${head}.${json([BOOKING, 2, "kbq6mf4p", "F2", null])}.${signature}`;
  for (const bad of [forged, "hello", "a.b.c", ""]) {
    expect((await gate.scan(bad)).problem?.code).toBe("ticket_code_invalid");
  }
  const elsewhere = await gate.scan(await ticket(1, "res_aaaaaaaa"));
  expect(elsewhere.problem?.code).toBe("wrong_resource");
  expect(gate.state.waiting).toBe(0);
});

test("what waits survives a reload", async () => {
  server.isThere = false;
  await gate.scan(await ticket(1));
  const reloaded = new Gate(RESOURCE, server, shelf);
  expect(reloaded.state.waiting).toBe(1);
  expect(new Gate("res_aaaaaaaa", server, shelf).state.waiting).toBe(0);
  server.isThere = true;
  await reloaded.refresh();
  expect(server.told).toHaveLength(1);
  expect(new Gate(RESOURCE, server, shelf).state.waiting).toBe(0);
});

test("a page that is loaded without network judges by what was kept", async () => {
  gate.call("Lantern");
  await gate.scan(await ticket(1));
  server.isThere = false;
  await gate.scan(await ticket(2));
  const reloaded = new Gate(RESOURCE, server, shelf);
  await reloaded.refresh();
  const { asOf, ...state } = reloaded.state;
  expect(state).toMatchObject({ isOnline: false, name: "Lantern", inside: 3, waiting: 1 });
  expect(Date.parse(asOf ?? "")).toBeLessThanOrEqual(Date.now());
  for (const index of [1, 2, 9]) {
    const verdict = await reloaded.scan(await ticket(index));
    expect(verdict.problem?.code).toBe("already_checked_in");
  }
  expect(await reloaded.scan(await ticket(3))).toMatchObject({ outcome: "in_offline" });
  server.isThere = true;
  await reloaded.refresh();
  await reloaded.refresh();
  expect(server.told).toHaveLength(2);
});

test("what waits is in, also where the page went before it was kept", async () => {
  server.isThere = false;
  await gate.scan(await ticket(2));
  shelf.tickets.clear();
  const reloaded = new Gate(RESOURCE, server, shelf);
  expect((await reloaded.scan(await ticket(2))).problem?.code).toBe("already_checked_in");
  expect(reloaded.state.waiting).toBe(1);
});

test("whoever may not check in any more keeps nothing but what waits", async () => {
  server.isThere = false;
  await gate.scan(await ticket(1));
  server.isThere = true;
  server.allows = false;
  await gate.refresh();
  expect(shelf.gate).toBeNull();
  expect(shelf.tickets.size).toBe(0);
  server.isThere = false;
  await gate.refresh();
  expect((await gate.scan(await ticket(2))).problem?.code).toBe("gate_without_keys");
  expect(gate.state.waiting).toBe(1);
});

test("who was let in without the server does not come in again before it heard of that", async () => {
  server.isThere = false;
  await gate.scan(await ticket(1));
  server.isThere = true;
  shelf.gate = null;
  const reloaded = new Gate(RESOURCE, server, shelf);
  const again = await reloaded.scan(await ticket(1));
  expect(again.problem?.code).toBe("already_checked_in");
  expect(server.seen).toHaveLength(0);
  await reloaded.refresh();
  await reloaded.scan(await ticket(1));
  expect(server.told).toHaveLength(1);
  expect(server.seen).toHaveLength(1);
});

test("what a storage did not take is kept the next time", async () => {
  shelf.isStuck = true;
  await gate.scan(await ticket(1));
  await gate.refresh();
  expect([...shelf.tickets]).toEqual([`bkg_${BOOKING}-9`]);
  shelf.isStuck = false;
  await gate.refresh();
  expect([...shelf.tickets].toSorted()).toEqual([`bkg_${BOOKING}-1`, `bkg_${BOOKING}-9`]);
});

test("what waits at an entrance that this session does not see waits on; the rest is told", async () => {
  server.isThere = false;
  const other = new Gate("res_aaaaaaaa", server, shelf);
  await other.scan(await ticket(2, "res_aaaaaaaa"));
  await gate.scan(await ticket(1));
  server.isThere = true;
  server.hidden.add("res_aaaaaaaa");
  expect(await tellAllWaiting(server)).toBe(0);
  expect(server.told.map((scan) => scan.resource_id)).toEqual([RESOURCE]);
  expect(new Gate("res_aaaaaaaa", server, shelf).state.waiting).toBe(1);
});

test("what waits at all entrances is told at once, each once", async () => {
  server.isThere = false;
  const other = new Gate("res_aaaaaaaa", server, shelf);
  await gate.scan(await ticket(1));
  await other.scan(await ticket(2, "res_aaaaaaaa"));
  await expect(tellAllWaiting(server)).rejects.toThrow();
  server.isThere = true;
  const problem = { code: "already_checked_in", detail: "The ticket was used already" };
  server.outcome = ({ resource_id: at }) =>
    ({ outcome: "x", check_in: null, problem: at === RESOURCE ? null : problem }) as never;
  expect(await tellAllWaiting(server)).toBe(1);
  expect(await tellAllWaiting(server)).toBe(0);
  expect(server.told.map((scan) => scan.resource_id).toSorted()).toEqual([
    "res_aaaaaaaa",
    RESOURCE,
  ]);
});

test("what the server refuses afterwards is said", async () => {
  server.isThere = false;
  await gate.scan(await ticket(1));
  server.isThere = true;
  const problem = {
    code: "already_checked_in",
    detail: "The ticket was used already",
    gate: "South",
  };
  server.outcome = () => ({ outcome: "refused", check_in: null, problem }) as ScanOutcome;
  await gate.refresh();
  const [latest] = gate.state.verdicts;
  expect(latest).toMatchObject({ outcome: "refused", isLate: true });
  expect(latest?.problem?.data).toMatchObject({ gate: "South" });
});

test("a refusal of the server is no reason to go on without it", async () => {
  server.checkIn = async () => {
    throw new Problem(409, { code: "ticket_cancelled" });
  };
  const verdict = await gate.scan(await ticket(1));
  expect(verdict.problem?.code).toBe("ticket_cancelled");
  expect(gate.state).toMatchObject({ isOnline: true, waiting: 0 });
});

test("before the keys are there nobody is let in without the server", async () => {
  server.isThere = false;
  const early = new Gate(RESOURCE, server, new Shelf());
  expect((await early.scan(await ticket(1))).problem?.code).toBe("gate_without_keys");
});
