// The verbs of who waits for what is sold out: joins a waitlist, takes up or declines what is offered.
import { QueueVerbs } from "./queueVerbs.ts";
import { again, once, part, read, type CallOptions, type WriteOptions } from "./requests.ts";
import type {
  Hold,
  JoinWaitlist,
  PublicWaitlist,
  PublicWaitlistList,
  WaitlistEntry,
  WaitlistEntryPage,
} from "./schemas.ts";
import { resourcePath, type PageQuery, type Written } from "./verbs.ts";

export class WaitlistVerbs extends QueueVerbs {
  /** The waitlist that a resource is of, as who would join it sees it: one, or none. */
  async waitlistsOfResource(
    resourceId: string,
    options: CallOptions = {},
  ): Promise<PublicWaitlist[]> {
    const path = `${resourcePath(resourceId)}/waitlists`;
    return (await this.found<PublicWaitlistList>(path, {}, options)).items;
  }

  /** Puts a party on a waitlist, at its end. */
  joinWaitlist(
    waitlistId: string,
    body: JoinWaitlist,
    options: WriteOptions = {},
  ): Promise<Written<WaitlistEntry>> {
    return this.written("POST", `${waitlistPath(waitlistId)}/entries`, body, options);
  }

  /** A page of the entries of an owner, or, with a token, of the shopper: those that wait or are offered
   * something, then those that ended, of each the newest first. */
  listWaitlistEntries(
    query: PageQuery & { readonly owner?: string } = {},
    options: CallOptions = {},
  ): Promise<WaitlistEntryPage> {
    return this.done(read("/v1/waitlist-entries", query), options);
  }

  /** Reads an entry: how many wait before it, and what is offered to it. */
  getWaitlistEntry(entryId: string, options: CallOptions = {}): Promise<WaitlistEntry> {
    return this.found(entryPath(entryId), {}, options);
  }

  /** Takes an offer up: its hold, which is bought as any is. Again, it is the same hold. */
  acceptWaitlistOffer(entryId: string, options: CallOptions = {}): Promise<Hold> {
    return this.done(again("POST", `${entryPath(entryId)}/accept`), options);
  }

  /** Declines an offer, which goes to the next. It has no key, and sent again it could decline the offer
   * after this: after `server_unreachable`, read the entry. */
  declineWaitlistOffer(entryId: string, options: CallOptions = {}): Promise<WaitlistEntry> {
    return this.done(once("POST", `${entryPath(entryId)}/decline`), options);
  }

  /** Leaves a waitlist for good, with what is offered. */
  withdrawWaitlistEntry(entryId: string, options: CallOptions = {}): Promise<WaitlistEntry> {
    return this.done(again("DELETE", entryPath(entryId)), options);
  }
}

export function waitlistPath(waitlistId: string): string {
  return `/v1/waitlists/${part(waitlistId, "waitlist_id")}`;
}

export function entryPath(entryId: string): string {
  return `/v1/waitlist-entries/${part(entryId, "entry_id")}`;
}
