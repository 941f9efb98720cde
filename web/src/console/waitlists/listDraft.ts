// A waitlist as a form has it: numbers as text, the time to decide in minutes.
import type { NewWaitlist, Waitlist, WaitlistChange } from "~/api/schema";
import { readWhole } from "../programme/amounts";
import type { PickedResource } from "../waitingRooms/roomDraft";

export const POLICIES = ["strict", "best_fit", "lottery"] as const;
export const GOES_TO = ["waitlist", "anyone"] as const;
export const EXCHANGES = ["none", "free"] as const;

/** What can be changed at any time. */
export type RulesDraft = {
  readonly policy: Waitlist["policy"];
  readonly window: string;
  /** Empty: as often as it comes. */
  readonly passesMax: string;
  readonly decideMinutes: string;
  readonly partyMax: string;
  readonly ownerEntriesMax: string;
  readonly entriesMax: string;
  readonly goesTo: Waitlist["freed_goes_to"];
  readonly exchange: Waitlist["exchange"];
};

export type ListDraft = RulesDraft & { readonly resources: readonly PickedResource[] };

/** The bounds of the API; a window is of `best_fit` alone. */
const BOUNDS = {
  decideMinutes: [1, 1440],
  partyMax: [1, 1000],
  ownerEntriesMax: [1, 100],
  entriesMax: [1, 1_000_000],
  window: [1, 200],
  passesMax: [0, 1000],
} as const;
export type RuleNumber = keyof typeof BOUNDS;
const RULE_NUMBERS: readonly RuleNumber[] = [
  "decideMinutes",
  "partyMax",
  "ownerEntriesMax",
  "entriesMax",
  "window",
  "passesMax",
];
const MINUTE_SECONDS = 60;

/** The numbers that say something by this policy. Of a list that is served in order nobody is passed by
 * but who cannot use what came back. */
export function numbersOf({ policy }: Pick<RulesDraft, "policy">): readonly RuleNumber[] {
  return RULE_NUMBERS.filter((name) => name !== "window" || policy === "best_fit");
}

export function newListDraft(resources: readonly PickedResource[] = []): ListDraft {
  return {
    resources,
    policy: "strict",
    window: "20",
    passesMax: "",
    decideMinutes: "30",
    partyMax: "20",
    ownerEntriesMax: "1",
    entriesMax: "10000",
    goesTo: "waitlist",
    exchange: "none",
  };
}

export function rulesDraft(list: Waitlist): RulesDraft {
  return {
    policy: list.policy,
    window: String(list.window),
    passesMax: list.passes_max === null ? "" : String(list.passes_max),
    decideMinutes: String(Math.max(1, Math.round(list.decide_seconds / MINUTE_SECONDS))),
    partyMax: String(list.party_max),
    ownerEntriesMax: String(list.owner_entries_max),
    entriesMax: String(list.entries_max),
    goesTo: list.freed_goes_to,
    exchange: list.exchange,
  };
}

export function rulesFaults(draft: RulesDraft): RuleNumber[] {
  return numbersOf(draft).filter((name) => {
    if (name === "passesMax" && draft.passesMax.trim() === "") return false;
    return numberOf(draft, name) === null;
  });
}

function numberOf(draft: RulesDraft, name: RuleNumber): number | null {
  const [least, most] = BOUNDS[name];
  return readWhole(draft[name], least, most);
}

export function listFaults(draft: ListDraft): string[] {
  return [...(draft.resources.length === 0 ? ["resources"] : []), ...rulesFaults(draft)];
}

type Rules = Required<Omit<NewWaitlist, "resource_ids" | "window">> & Pick<NewWaitlist, "window">;

/** Of a draft without faults; else null. */
export function rulesOf(draft: RulesDraft): Rules | null {
  if (rulesFaults(draft).length > 0) return null;
  const read = (name: RuleNumber) => numberOf(draft, name) ?? 0;
  return {
    policy: draft.policy,
    passes_max: draft.passesMax.trim() === "" ? null : read("passesMax"),
    decide_seconds: read("decideMinutes") * MINUTE_SECONDS,
    party_max: read("partyMax"),
    owner_entries_max: read("ownerEntriesMax"),
    entries_max: read("entriesMax"),
    freed_goes_to: draft.goesTo,
    exchange: draft.exchange,
    ...(draft.policy === "best_fit" && { window: read("window") }),
  };
}

/** Only what was changed. A list may have seconds to decide that the form has no field for: they stay,
 * unless the minutes are typed anew. Null where nothing was, or where something is wrong. */
export function rulesChange(list: Waitlist, draft: RulesDraft): WaitlistChange | null {
  const before = rulesOf(rulesDraft(list));
  const now = rulesOf(draft);
  if (before === null || now === null) return null;
  const changed = Object.entries(now).filter(
    ([name, value]) => value !== Reflect.get({ window: list.window, ...before }, name),
  );
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

export function listOf(draft: ListDraft): NewWaitlist | null {
  const rules = rulesOf(draft);
  if (rules === null || draft.resources.length === 0) return null;
  return { ...rules, resource_ids: draft.resources.map(({ id }) => id) };
}
