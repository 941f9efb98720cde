import { expect, test } from "vitest";
import { NEW_QUEUE, ONE_QUEUE, queueFaults, queuesOf, type QueueDraft } from "./queueDraft";

const queue = (part: Partial<QueueDraft>): QueueDraft => ({ ...NEW_QUEUE, name: "vip", ...part });

test("a room has one queue for all, unless others are added", () => {
  expect(queueFaults(ONE_QUEUE)).toEqual([]);
  expect(queuesOf(ONE_QUEUE)).toEqual([{ name: "general", share: 1, invited: false }]);
});

test("a name is one that an address can have, and is used once", () => {
  const drafts = ["VIP", "", "1st", "a b", "general", " vip "].map((name) => queue({ name }));
  expect(queueFaults([...ONE_QUEUE, ...drafts])).toEqual([
    "queues.1.name",
    "queues.2.name",
    "queues.3.name",
    "queues.4.name",
    "queues.5.twice",
  ]);
});

test.each(["0", "101", "half", ""])("a share is a number from 1 to 100: %s", (share) => {
  expect(queueFaults([queue({ share })])).toEqual(["queues.0.share"]);
});

test("drafts become what the API takes", () => {
  const members = queue({ name: " members ", share: "30", invited: true });
  expect(queuesOf([members])).toEqual([{ name: "members", share: 30, invited: true }]);
});
