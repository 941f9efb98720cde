// The queues of a waiting room as a form has them: numbers as text.
import type { NewWaitingRoom } from "~/api/schema";
import { readWhole } from "../programme/amounts";

export type QueueDraft = {
  readonly name: string;
  readonly share: string;
  readonly invited: boolean;
};

export const QUEUES_MAX = 8;
export const QUEUE_NAME_MAX = 40;
const SHARE_MAX = 100;
const NAME = /^[a-z][a-z0-9-]{0,39}$/;

export const ONE_QUEUE: readonly QueueDraft[] = [{ name: "general", share: "1", invited: false }];
export const NEW_QUEUE: QueueDraft = { name: "", share: "1", invited: true };

/** As `queues.1.name`: which line, and what of it is wrong. */
export function queueFaults(queues: readonly QueueDraft[]): string[] {
  const names = queues.map(({ name }) => name.trim());
  return queues.flatMap(({ share }, at) => {
    const name = names[at] ?? "";
    const faults: string[] = [];
    if (!NAME.test(name)) faults.push(`queues.${at}.name`);
    else if (names.indexOf(name) < at) faults.push(`queues.${at}.twice`);
    if (readWhole(share, 1, SHARE_MAX) === null) faults.push(`queues.${at}.share`);
    return faults;
  });
}

/** Of drafts without faults. */
export function queuesOf(queues: readonly QueueDraft[]): NonNullable<NewWaitingRoom["queues"]> {
  return queues.map(({ name, share, invited }) => ({
    name: name.trim(),
    share: readWhole(share, 1, SHARE_MAX) ?? 1,
    invited,
  }));
}
