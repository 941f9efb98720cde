// The verbs of operators for waiting rooms, their invitation codes, and waitlists.
import { roomPath } from "../../core/queueVerbs.ts";
import { again, ask, once, type CallOptions, type WriteOptions } from "../../core/requests.ts";
import type {
  ChangeWaitingRoom,
  InviteBatch,
  InviteBatchList,
  InviteCodePage,
  InviteState,
  NewInviteBatch,
  NewWaitingRoom,
  NewWaitlist,
  Outlook,
  RoomAuditPage,
  WaitingRoom,
  WaitingRoomPage,
  Waitlist,
  WaitlistChange,
  WaitlistEntry,
  WaitlistEntryPage,
  WaitlistList,
} from "../../core/schemas.ts";
import type { PageQuery, Written } from "../../core/verbs.ts";
import { entryPath, waitlistPath, WaitlistVerbs } from "../../core/waitlistVerbs.ts";

export class WaitingVerbs extends WaitlistVerbs {
  /** Puts resources behind a waiting room. It has no key: after `server_unreachable`, look at the list. */
  makeWaitingRoom(body: NewWaitingRoom, options: CallOptions = {}): Promise<WaitingRoom> {
    return this.done(once("POST", "/v1/waiting-rooms", body), options);
  }

  /** A page of waiting rooms, the newest first. */
  listWaitingRooms(query: PageQuery = {}, options: CallOptions = {}): Promise<WaitingRoomPage> {
    return this.found("/v1/waiting-rooms", query, options);
  }

  /** Reads a waiting room, with what has happened in it until now. */
  getWaitingRoom(roomId: string, options: CallOptions = {}): Promise<WaitingRoom> {
    return this.found(roomPath(roomId), {}, options);
  }

  /** Changes a waiting room; by its `state` it is opened, paused, opened again and ended. It has no key:
   * after `server_unreachable`, read it. */
  changeWaitingRoom(
    roomId: string,
    body: ChangeWaitingRoom,
    options: CallOptions = {},
  ): Promise<WaitingRoom> {
    return this.done(once("PATCH", roomPath(roomId), body), options);
  }

  /** A page of all that the order of a room follows from; all pages are as of the first. */
  waitingRoomAudit(
    roomId: string,
    query: PageQuery = {},
    options: CallOptions = {},
  ): Promise<RoomAuditPage> {
    return this.found(`${roomPath(roomId)}/audit`, query, options);
  }

  /** Makes a batch of invitation codes for a queue. */
  makeInviteBatch(
    roomId: string,
    body: NewInviteBatch,
    options: WriteOptions = {},
  ): Promise<Written<InviteBatch>> {
    return this.written("POST", `${roomPath(roomId)}/invite-batches`, body, options);
  }

  /** All batches of a waiting room; no codes. */
  async listInviteBatches(roomId: string, options: CallOptions = {}): Promise<InviteBatch[]> {
    const path = `${roomPath(roomId)}/invite-batches`;
    return (await this.found<InviteBatchList>(path, {}, options)).items;
  }

  /** Reads a batch, with how many have joined by it. */
  getInviteBatch(roomId: string, batch: number, options: CallOptions = {}): Promise<InviteBatch> {
    return this.found(batchPath(roomId, batch), {}, options);
  }

  /** From now on nobody else joins by the codes of a batch. */
  revokeInviteBatch(
    roomId: string,
    batch: number,
    options: CallOptions = {},
  ): Promise<InviteBatch> {
    return this.done(again("DELETE", batchPath(roomId, batch)), options);
  }

  /** A page of the codes of a batch, written out. Codes are secrets. */
  listInviteCodes(
    roomId: string,
    batch: number,
    query: PageQuery = {},
    options: CallOptions = {},
  ): Promise<InviteCodePage> {
    return this.found(`${batchPath(roomId, batch)}/codes`, query, options);
  }

  /** From now on nobody else joins by this code of a batch. */
  revokeInviteCode(
    roomId: string,
    batch: number,
    serial: number,
    options: CallOptions = {},
  ): Promise<InviteState> {
    const path = `${batchPath(roomId, batch)}/codes/${Math.trunc(serial)}`;
    return this.done(again("DELETE", path), options);
  }

  /** How a code stands that somebody has. */
  lookUpInviteCode(roomId: string, code: string, options: CallOptions = {}): Promise<InviteState> {
    return this.done(ask(`${roomPath(roomId)}/invite-codes/look-up`, { code }), options);
  }

  /** Sets up a waitlist. It has no key: after `server_unreachable`, look at the list of them. */
  createWaitlist(body: NewWaitlist, options: CallOptions = {}): Promise<Waitlist> {
    return this.done(once("POST", "/v1/waitlists", body), options);
  }

  /** The newest 200 waitlists. */
  async listWaitlists(options: CallOptions = {}): Promise<Waitlist[]> {
    return (await this.found<WaitlistList>("/v1/waitlists", {}, options)).items;
  }

  /** Reads a waitlist with its settings. */
  getWaitlist(waitlistId: string, options: CallOptions = {}): Promise<Waitlist> {
    return this.found(waitlistPath(waitlistId), {}, options);
  }

  /** Changes settings of a waitlist. It has no key: after `server_unreachable`, read it. */
  updateWaitlist(
    waitlistId: string,
    body: WaitlistChange,
    options: CallOptions = {},
  ): Promise<Waitlist> {
    return this.done(once("PATCH", waitlistPath(waitlistId), body), options);
  }

  /** Ends a waitlist for good. Offers that stand stay good. */
  endWaitlist(waitlistId: string, options: CallOptions = {}): Promise<Waitlist> {
    return this.done(again("DELETE", waitlistPath(waitlistId)), options);
  }

  /** A page of who waits, by place, with what is offered to each. */
  entriesOfWaitlist(
    waitlistId: string,
    query: PageQuery & { readonly state?: WaitlistEntry["state"] } = {},
    options: CallOptions = {},
  ): Promise<WaitlistEntryPage> {
    return this.found(`${waitlistPath(waitlistId)}/entries`, query, options);
  }

  /** Whom it would serve if the holds that end first, or the newest blocks or bookings, were gone. */
  waitlistOutlook(
    waitlistId: string,
    query: { readonly of?: Outlook["of"] } = {},
    options: CallOptions = {},
  ): Promise<Outlook> {
    return this.found(`${waitlistPath(waitlistId)}/outlook`, query, options);
  }

  /** Takes a party off its list for good; the `note` tells it why. */
  removeWaitlistEntry(
    entryId: string,
    body: { readonly note: string },
    options: CallOptions = {},
  ): Promise<WaitlistEntry> {
    return this.done(again("POST", `${entryPath(entryId)}/remove`, body), options);
  }
}

function batchPath(roomId: string, batch: number): string {
  return `${roomPath(roomId)}/invite-batches/${Math.trunc(batch)}`;
}
