// Invitation codes on the page of a waiting room: who can use one, and the one that a link brings.
import type { WaitingRoomNow } from "~/api/schema";

type Queues = Pick<WaitingRoomNow, "queues">;

/** As many characters as the server looks at. */
export const CODE_MAX = 60;

/** Whether a code can be of use here: there is a queue by invitation, or another one than the first. */
export function takesCodes({ queues }: Queues): boolean {
  return queues.length > 1 || queues.some(({ invited }) => invited);
}

/** The queue that is joined without a code: that of the address, unless it is by invitation. Null: none.
 * One that is not there is left to the server to say. */
export function queueWithout({ queues }: Queues, named: string | null): string | null {
  const found = queues.find(({ name }) => name === named);
  if (named !== null && found?.invited !== true) return named;
  return queues.find(({ invited }) => !invited)?.name ?? null;
}

/** Whether the queue of the address, or the only one, is by invitation. */
export function isByInvitation(room: Queues, named: string | null): boolean {
  if (queueWithout(room, named) === null) return true;
  return room.queues.some(({ name, invited }) => invited && name === named);
}

/** The code in the page's address, in its query or in its fragment, which no server sees; else "". */
export function codeOfLink({ search, hash }: Pick<Location, "search" | "hash">): string {
  const code =
    new URLSearchParams(search).get("code") ?? new URLSearchParams(hash.slice(1)).get("code");
  return (code ?? "").slice(0, CODE_MAX);
}

/** The same address without the code, so that nobody copies it with the address. */
export function withoutCode({
  pathname,
  search,
  hash,
}: Pick<Location, "pathname" | "search" | "hash">): string {
  return pathname + cut("?", search) + cut("#", hash);
}

function cut(mark: string, part: string): string {
  const fields = new URLSearchParams(part.slice(1));
  if (!fields.has("code")) return part;
  fields.delete("code");
  const rest = fields.toString();
  return rest === "" ? "" : mark + rest;
}
