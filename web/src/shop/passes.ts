// The passes of waiting rooms that this browser has. All tabs share them, each until it ends; the calls
// that buy behind a room show its pass, and who needs one is led to the room.
import type { Problem } from "~/api/client";
import { isRecord } from "~/api/record";
import { readStored } from "~/api/stored";

export type KeptPass = {
  readonly roomId: string;
  readonly name: string;
  readonly pass: string;
  readonly resources: readonly string[];
  readonly unitsMax: number | null;
  /** In ms since 1970, by this device's clock. */
  readonly endsAt: number;
  /** Where the tickets are. */
  readonly back: string;
};

const KEPT_AS = "bespeak.passes";
const REQUIRED = "pass_required";
const INVALID = "pass_invalid";
const watchers = new Set<() => void>();
const gates = new Set<(roomId: string) => void>();

/** The passes that have not ended, the newest first. */
export function keptPasses(now = Date.now()): KeptPass[] {
  const stored = Object.values(readStored(localStorage, KEPT_AS) ?? {}).flatMap(passOf);
  return stored.filter((one) => one.endsAt > now).toSorted((one, two) => two.endsAt - one.endsAt);
}

function passOf(found: unknown): KeptPass[] {
  if (!isRecord(found)) return [];
  const { roomId, name, pass, resources, unitsMax, endsAt, back } = found;
  if (typeof roomId !== "string" || typeof name !== "string" || typeof pass !== "string") return [];
  if (typeof endsAt !== "number" || typeof back !== "string" || !Array.isArray(resources))
    return [];
  const ids = resources.filter((one): one is string => typeof one === "string");
  const most = typeof unitsMax === "number" ? unitsMax : null;
  return [{ roomId, name, pass, resources: ids, unitsMax: most, endsAt, back }];
}

export function keepPass(pass: KeptPass): void {
  store([...keptPasses().filter(({ roomId }) => roomId !== pass.roomId), pass]);
}

export function dropPass(roomId: string): void {
  store(keptPasses().filter((one) => one.roomId !== roomId));
}

function store(passes: readonly KeptPass[]): void {
  const byRoom = Object.fromEntries(passes.map((one) => [one.roomId, one]));
  localStorage.setItem(KEPT_AS, JSON.stringify(byRoom));
  for (const watcher of watchers) watcher();
}

/** Calls back when there is another pass, or one less, also in another tab. Gives what ends that. */
export function watchPasses(watcher: () => void): () => void {
  const other = ({ key }: StorageEvent) => {
    if (key === null || key === KEPT_AS) watcher();
  };
  watchers.add(watcher);
  globalThis.addEventListener("storage", other);
  return () => {
    watchers.delete(watcher);
    globalThis.removeEventListener("storage", other);
  };
}

/** What is stored, as one text that changes when it does. */
export function storedPasses(): string {
  return localStorage.getItem(KEPT_AS) ?? "";
}

/** The header with the pass for what a call buys: that of its resources; where it names none that we
 * know, as a stay by its listing, the newest. */
export function passHeaders(method: string, body: unknown): Record<string, string> {
  if (method !== "POST" || body === undefined) return {};
  const passes = keptPasses();
  if (passes.length === 0) return {};
  const text = JSON.stringify(body);
  const found = passes.find((one) => one.resources.some((id) => text.includes(`"${id}"`)));
  return { "Bespeak-Pass": (found ?? passes[0])?.pass ?? "" };
}

/** Leads to the waiting room that a refusal names; a pass that was not good there is dropped. Of one that
 * nobody can read the server names no room: all are dropped, and the newest one's room gives it again. */
export function noteRefusal({ code, data }: Pick<Problem, "code" | "data">): void {
  if (code !== REQUIRED && code !== INVALID) return;
  const named = data["waiting_room_id"];
  const roomId = typeof named === "string" ? named : keptPasses()[0]?.roomId;
  if (code === INVALID) store(keptPasses().filter((one) => named && one.roomId !== named));
  if (roomId === undefined) return;
  for (const gate of gates) gate(roomId);
}

/** Calls back with the room whose pass is needed. Gives what ends that. */
export function onPassNeeded(gate: (roomId: string) => void): () => void {
  gates.add(gate);
  return () => void gates.delete(gate);
}
