// A waiting room as a form has it: times by this device's clocks, numbers as text.
import type { NewWaitingRoom, WaitingRoom } from "~/api/schema";
import { readWhole } from "../programme/amounts";
import { clockTime } from "../programme/clocks";
import { ONE_QUEUE, queueFaults, queuesOf, type QueueDraft } from "./queueDraft";

export type PickedResource = { readonly id: string; readonly name: string };
export type EarlyOrder = WaitingRoom["early_order"];
export type Pace = WaitingRoom["pace"];
export type ChallengeRule = WaitingRoom["challenge"];

/** What can be changed at any time. */
export type SpeedDraft = {
  readonly pace: Pace;
  readonly aMinute: string;
  readonly insideMax: string;
  readonly passMinutes: string;
  readonly graceSeconds: string;
  /** Empty: no bound. */
  readonly unitsMax: string;
};

export type RoomDraft = SpeedDraft & {
  readonly name: string;
  readonly resources: readonly PickedResource[];
  readonly opens: string;
  /** Empty: at once. */
  readonly earlyOpens: string;
  readonly order: EarlyOrder;
  readonly message: string;
  readonly challenge: ChallengeRule;
  readonly queues: readonly QueueDraft[];
};

export const RESOURCES_MAX = 200;
export const NAME_MAX = 100;
export const MESSAGE_MAX = 500;
const DAY_MS = 86_400_000;

/** The bounds of the API: of minutes for how long a pass lasts, else as they are called there. */
const BOUNDS = {
  aMinute: [1, 100_000],
  insideMax: [1, 1_000_000],
  passMinutes: [1, 1440],
  graceSeconds: [10, 3600],
  unitsMax: [1, 1000],
} as const;
export type SpeedNumber = keyof typeof BOUNDS;
export const SPEED_NUMBERS: readonly SpeedNumber[] = [
  "aMinute",
  "insideMax",
  "passMinutes",
  "graceSeconds",
  "unitsMax",
];

export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function newRoomDraft(now: number, picked: readonly PickedResource[] = []): RoomDraft {
  const opens = new Date(now + DAY_MS);
  opens.setHours(9, 0, 0, 0);
  return {
    name: "",
    resources: picked,
    opens: clockTime(opens.toISOString(), ownZone()),
    earlyOpens: "",
    order: "shuffle",
    message: "",
    challenge: "often",
    queues: ONE_QUEUE,
    pace: "stock",
    aMinute: "600",
    insideMax: "500",
    passMinutes: "10",
    graceSeconds: "120",
    unitsMax: "",
  };
}

export function speedDraft(room: WaitingRoom): SpeedDraft {
  return {
    pace: room.pace,
    aMinute: String(room.a_minute),
    insideMax: String(room.inside_max),
    passMinutes: String(Math.round(room.pass_seconds / 60)),
    graceSeconds: String(room.grace_seconds),
    unitsMax: room.units_max === null ? "" : String(room.units_max),
  };
}

/** A time by this device's clocks as a moment; null for what is none. */
export function momentOf(time: string): string | null {
  const moment = new Date(time);
  return time === "" || Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

export function speedFaults(draft: SpeedDraft): SpeedNumber[] {
  return SPEED_NUMBERS.filter((name) => {
    if (name === "unitsMax" && draft.unitsMax.trim() === "") return false;
    return numberOf(draft, name) === null;
  });
}

export function roomFaults(draft: RoomDraft): string[] {
  const faults: string[] = speedFaults(draft);
  const [opens, early] = [momentOf(draft.opens), momentOf(draft.earlyOpens)];
  if (draft.name.trim() === "") faults.push("name");
  if (draft.resources.length === 0) faults.push("resources");
  if (opens === null) faults.push("opens");
  if (draft.earlyOpens !== "" && (early === null || (opens !== null && early > opens))) {
    faults.push("earlyOpens");
  }
  return [...faults, ...queueFaults(draft.queues)];
}

function numberOf(draft: SpeedDraft, name: SpeedNumber): number | null {
  const [least, most] = BOUNDS[name];
  return readWhole(draft[name], least, most);
}

type Speed = Required<
  Pick<
    NewWaitingRoom,
    "pace" | "a_minute" | "inside_max" | "pass_seconds" | "grace_seconds" | "units_max"
  >
>;

/** Of a draft without faults; else null. */
export function speedOf(draft: SpeedDraft): Speed | null {
  const [aMinute, inside] = [numberOf(draft, "aMinute"), numberOf(draft, "insideMax")];
  const [minutes, grace] = [numberOf(draft, "passMinutes"), numberOf(draft, "graceSeconds")];
  if (speedFaults(draft).length > 0) return null;
  if (aMinute === null || inside === null || minutes === null || grace === null) return null;
  return {
    pace: draft.pace,
    a_minute: aMinute,
    inside_max: inside,
    pass_seconds: minutes * 60,
    grace_seconds: grace,
    units_max: draft.unitsMax.trim() === "" ? null : numberOf(draft, "unitsMax"),
  };
}

/** What a draft without faults changes of a room. A pass may last seconds that the form has no field
 * for: they stay, unless the minutes are typed anew. */
export function speedChange(room: WaitingRoom, draft: SpeedDraft): Partial<Speed> | null {
  const speed = speedOf(draft);
  if (speed === null || draft.passMinutes !== speedDraft(room).passMinutes) return speed;
  return { ...speed, pass_seconds: room.pass_seconds };
}

/** Of a draft without faults; else null. */
export function roomOf(draft: RoomDraft): NewWaitingRoom | null {
  const [speed, opens] = [speedOf(draft), momentOf(draft.opens)];
  if (roomFaults(draft).length > 0 || speed === null || opens === null) return null;
  return {
    ...speed,
    name: draft.name.trim(),
    resources: draft.resources.map(({ id }) => id),
    opens_at: opens,
    early_opens_at: momentOf(draft.earlyOpens),
    early_order: draft.order,
    message: draft.message.trim() === "" ? null : draft.message.trim(),
    challenge: draft.challenge,
    queues: queuesOf(draft.queues),
  };
}
