// Waiting in line before a sale, without asking for more than it takes: how the room stands is one answer
// for everybody, and by its front each knows alone whether the turn has come.
import type { GivenPass, PlaceNow, QueueNow, WaitingRoomNow } from "./schemas.ts";

/** A look at the room while one waits in it. `given` is null until the turn has come, and then the pass.
 * With the `queue_token` one goes on later, or elsewhere, at the same place. */
export type InLine = {
  readonly queue_token: string;
  readonly now: WaitingRoomNow;
  readonly place: PlaceNow;
  readonly given: GivenPass | null;
};

const OPENED: ReadonlySet<string> = new Set(["open", "paused", "sold_out"]);
/** Of the time between two looks, so that not all look at once. */
const SPREAD = 0.3;

/** The place of one who waits, for so many seconds at most. */
export class WaitingLine {
  readonly queueToken: string;
  #place: PlaceNow;
  #seed: string | null = null;
  readonly #end: number;
  readonly #spread = 1 + SPREAD * Math.random();

  constructor(queueToken: string, place: PlaceNow, seconds: number) {
    this.queueToken = queueToken;
    this.#place = place;
    this.#end = performance.now() + seconds * 1000;
  }

  /** Whether nothing more is waited for. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Whether the place is asked for again: as the draw is made, or taken back with the opening; when the
   * front comes by; when half of those ahead have gone; and while one is the next: who asks is counted
   * again, if the count of them was lost. */
  isPlaceOld(now: WaitingRoomNow): boolean {
    const { place, turn, ahead } = this.#place;
    if (now.seed !== this.#seed) return true;
    const queue = this.#queue(now);
    if (!OPENED.has(now.phase) || queue === undefined) return false;
    if (place === null) return true; // of another process, which has not heard of the draw
    const isCalled = this.#isCalled(queue);
    if (isCalled !== (turn === "called" || turn === "lost")) return true;
    const left = Math.max(0, place - 1 - queue.called);
    const isNext = left === 0 && now.phase === "open";
    return !isCalled && (isNext || left * 2 < (ahead ?? 0));
  }

  /** Notes the place as it is by this look at the room. */
  take(place: PlaceNow, now: WaitingRoomNow): void {
    this.#place = place;
    this.#seed = now.seed;
  }

  /** Whether it is time to ask for the pass. Of a room that has ended, the server says it. */
  mayComeIn(now: WaitingRoomNow): boolean {
    if (now.phase === "ended" || this.isOver) return true;
    const queue = this.#queue(now);
    return OPENED.has(now.phase) && queue !== undefined && this.#isCalled(queue);
  }

  /** What is told of it. */
  look(now: WaitingRoomNow, given: GivenPass | null = null): InLine {
    return { queue_token: this.queueToken, now, place: this.#place, given };
  }

  /** How many ms pass until the next look. */
  pauseMs(pollSeconds: number): number {
    const left = this.#end - performance.now();
    return Math.max(0, Math.min(pollSeconds * 1000 * this.#spread, left));
  }

  #queue({ queues }: WaitingRoomNow): QueueNow | undefined {
    return queues.find(({ name }) => name === this.#place.queue);
  }

  #isCalled({ front }: QueueNow): boolean {
    const key = this.#place.place_key;
    return key !== null && key < front;
  }
}
