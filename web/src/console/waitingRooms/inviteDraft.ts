// A batch of invitation codes as a form has it: numbers as text.
import type { components } from "~/api/schema";
import { readWhole } from "../programme/amounts";
import { momentOf } from "./roomDraft";

export type InviteBatch = components["schemas"]["InviteBatch"];
type NewInviteBatch = components["schemas"]["NewInviteBatch"];

export type InviteDraft = {
  readonly queue: string;
  readonly name: string;
  readonly codes: string;
  readonly persons: string;
  /** By this device's clocks; empty: as long as the queue is open. */
  readonly until: string;
};

export const INVITE_NAME_MAX = 60;
/** How many codes are in a file. */
export const FILE_MAX = 10_000;
const CODES_MAX = 100_000;
const PERSONS_MAX = 1000;

/** Of a draft that is whole; else null. */
export function batchOf(draft: InviteDraft): NewInviteBatch | null {
  const codes = readWhole(draft.codes, 1, CODES_MAX);
  const persons = readWhole(draft.persons, 1, PERSONS_MAX);
  const until = momentOf(draft.until);
  const name = draft.name.trim();
  if (codes === null || persons === null || name === "") return null;
  if (draft.until !== "" && until === null) return null;
  return { queue: draft.queue, name, codes, persons, until };
}

/** The files of a batch: the first and the last number of each, and where it is read. */
export function filesOf(room: string, { batch, codes }: Pick<InviteBatch, "batch" | "codes">) {
  const path = `/v1/waiting-rooms/${room}/invite-batches/${batch}/codes?format=csv`;
  return Array.from({ length: Math.ceil(codes / FILE_MAX) }, (_, at) => {
    const before = at * FILE_MAX;
    return {
      from: before + 1,
      to: Math.min(codes, before + FILE_MAX),
      href: before === 0 ? path : `${path}&after=${before}`,
    };
  });
}
