// The verbs of who wants to buy behind a waiting room: joins, waits and comes in.
import { WaitingLine, type InLine } from "./inLine.ts";
import { pause } from "./pause.ts";
import { BespeakError, hasCode } from "./problems.ts";
import { again, part, type CallOptions } from "./requests.ts";
import type {
  AskPass,
  AskTurnMail,
  GivenPass,
  JoinedQueue,
  JoinQueue,
  PlaceNow,
  TurnMail,
  WaitingRoomNow,
} from "./schemas.ts";
import { Verbs } from "./verbs.ts";

/** Whose place in a queue it is. */
export type QueueTokenQuery = { readonly queue_token: string };

/** How one waits in line: from the beginning, or with a `queue_token` that one has. */
export type LineWish = JoinQueue & { readonly queue_token?: string };
export type LineOptions = {
  /** For how long at most: a day. */
  readonly seconds?: number;
  readonly signal?: AbortSignal;
};

const PAUSE_SECONDS = 1;
const WAIT_SECONDS = 86_400;

export class QueueVerbs extends Verbs {
  /** How the queues of a room stand, the same for everybody. Ask again after its `poll_seconds`, not
   * before. */
  waitingRoomNow(roomId: string, options: CallOptions = {}): Promise<WaitingRoomNow> {
    return this.found(`${roomPath(roomId)}/now`, {}, options);
  }

  /** Joins a queue, the first if none is named, or that of an invitation code. What was lost on the way is
   * asked for again: who has no queue token yet has no place to lose. */
  joinWaitingRoom(
    roomId: string,
    body: JoinQueue = {},
    options: CallOptions = {},
  ): Promise<JoinedQueue> {
    return this.done(again("POST", `${roomPath(roomId)}/queue-tokens`, body), options);
  }

  /** Where the bearer of a queue token stands. */
  queuePlace(roomId: string, query: QueueTokenQuery, options: CallOptions = {}): Promise<PlaceNow> {
    return this.found(`${roomPath(roomId)}/place`, query, options);
  }

  /** Comes in, when it is one's turn; again, it is the same pass. Throws `not_your_turn`, `turn_lost`,
   * `pass_ended` and `waiting_room_closed`. */
  askPass(roomId: string, body: AskPass, options: CallOptions = {}): Promise<GivenPass> {
    return this.done(again("POST", `${roomPath(roomId)}/passes`, body), options);
  }

  /** Gives the pass back, so that somebody else comes in sooner. Who waits gives up the place: the queue
   * token is over. Again, it changes nothing. */
  async leaveWaitingRoom(
    roomId: string,
    query: QueueTokenQuery,
    options: CallOptions = {},
  ): Promise<void> {
    const request = again("DELETE", `${roomPath(roomId)}/passes`, undefined, query);
    await this.transport.send<string>(request, options, "text");
  }

  /** Has whoever waits written to when the turn comes near, once. Again, it is one mail, to the address that
   * was said last before it left. Throws `turn_lost`, `pass_ended`, `waiting_room_closed` and
   * `turn_mails_too_many`. */
  askTurnMail(roomId: string, body: AskTurnMail, options: CallOptions = {}): Promise<TurnMail> {
    return this.done(again("PUT", `${roomPath(roomId)}/turn-mail`, body), options);
  }

  /** No mail, and its address is forgotten; one that has left has left. Again, it changes nothing. */
  async withdrawTurnMail(
    roomId: string,
    query: QueueTokenQuery,
    options: CallOptions = {},
  ): Promise<void> {
    const request = again("DELETE", `${roomPath(roomId)}/turn-mail`, undefined, query);
    await this.transport.send<string>(request, options, "text");
  }

  /** Joins, or goes on with a `queue_token`, and waits until one is let in: each look at the room, the
   * last with the pass. It looks as often as the server says, and through any absence of it. An abort
   * ends it: nobody who waits is kept anywhere. Throws `turn_lost` and `pass_ended`, after which one may
   * join again; `waiting_room_closed` before the queue and after its end, when no pass is needed;
   * `waiting_room_draining` if nobody more joins;
   * `not_your_turn` once `seconds` are over. */
  async *waitInLine(
    roomId: string,
    wish: LineWish = {},
    options: LineOptions = {},
  ): AsyncGenerator<InLine, void> {
    const { signal, seconds = WAIT_SECONDS } = options;
    const call = signal === undefined ? {} : { signal };
    try {
      const line = await this.#lineOf(roomId, wish, seconds, call);
      const query = { queue_token: line.queueToken };
      const asked = { ...query, ...(wish.owner !== undefined && { owner: wish.owner }) };
      let pauseSeconds = PAUSE_SECONDS;
      for (;;) {
        try {
          const now = await this.waitingRoomNow(roomId, call);
          pauseSeconds = Math.max(PAUSE_SECONDS, now.poll_seconds);
          if (line.isPlaceOld(now)) line.take(await this.queuePlace(roomId, query, call), now);
          yield line.look(now);
          if (line.mayComeIn(now)) {
            yield line.look(now, await this.askPass(roomId, asked, call));
            return;
          }
        } catch (error) {
          if (line.isOver || !isWaitedOut(error)) throw error;
        }
        await pause(line.pauseMs(pauseSeconds), signal);
      }
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }

  async #lineOf(
    roomId: string,
    { queue_token: token, ...wish }: LineWish,
    seconds: number,
    call: CallOptions,
  ): Promise<WaitingLine> {
    if (token !== undefined) {
      const place = await this.queuePlace(roomId, { queue_token: token }, call);
      return new WaitingLine(token, place, seconds);
    }
    const { queue_token: given, place } = await this.joinWaitingRoom(roomId, wish, call);
    return new WaitingLine(given, place, seconds);
  }
}

/** Others are before one, or nobody answered for as long as a verb may take. */
function isWaitedOut(error: unknown): boolean {
  return hasCode(error, "not_your_turn") || (error instanceof BespeakError && error.isUnavailable);
}

export function roomPath(roomId: string): string {
  return `/v1/waiting-rooms/${part(roomId, "waiting_room_id")}`;
}
