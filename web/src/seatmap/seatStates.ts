// The state of every unit, and the visitor's selection. A chosen unit that somebody else takes is
// deselected and reported once.
import type { TakenState } from "@bespeak/browser";
import type { PoolLevel } from "~/api/schema";
import type { Room } from "./room";
import { BLOCKED, BOOKED, FREE, HELD, MINE, SELECTED } from "./sprites";

export type { PoolLevel } from "~/api/schema";
export type UnitState = TakenState | "free";
export type Mode = "select" | "view" | "block";

/** The units that changed, and the chosen ones among them that were lost. */
export type StateChange = { readonly changed: number[]; readonly lost: number[] };

const STATES: readonly UnitState[] = ["free", "held", "booked", "blocked"];
const NUMBERS: Readonly<Record<string, number>> = {
  free: FREE,
  held: HELD,
  booked: BOOKED,
  blocked: BLOCKED,
};

export class SeatStates {
  readonly room: Room;
  /** The kind of each unit, for drawing (see sprites.ts). */
  readonly kinds: Uint8Array;
  readonly pools = new Map<string, PoolLevel>();
  readonly quantities = new Map<string, number>();
  mode: Mode = "select";
  max = 10;
  /** A hold is being placed: chosen units that become held may be its own. */
  isHolding = false;
  readonly #states: Uint8Array;
  readonly #chosen = new Set<number>();
  readonly #mine = new Set<number>();
  #free: number;

  constructor(room: Room) {
    this.room = room;
    this.#states = new Uint8Array(room.units.length);
    this.kinds = new Uint8Array(room.units.length);
    this.#free = room.units.length;
    for (const { unit, capacity } of room.pools)
      this.pools.set(unit, { capacity, available: capacity });
  }

  get free(): number {
    return this.#free;
  }

  get chosen(): readonly number[] {
    return [...this.#chosen];
  }

  get count(): number {
    let sum = this.#chosen.size;
    for (const quantity of this.quantities.values()) sum += quantity;
    return sum;
  }

  state(unit: number): UnitState {
    return STATES[this.#states[unit] ?? 0] ?? "free";
  }

  isChosen(unit: number): boolean {
    return this.#chosen.has(unit);
  }

  isMine(unit: number): boolean {
    return this.#mine.has(unit);
  }

  /** Whether it can be selected. Operators can also select blocked units, to unblock them. */
  mayChoose(unit: number): boolean {
    if (unit < 0 || unit >= this.room.units.length || this.mode === "view") return false;
    const state = this.#states[unit] ?? FREE;
    return state === FREE || (this.mode === "block" && state === BLOCKED);
  }

  /** Applies a snapshot: absent units are free, unknown names are ignored. */
  show(taken: Readonly<Record<string, UnitState>>): StateChange {
    const next = new Uint8Array(this.#states.length);
    for (const [name, state] of Object.entries(taken)) {
      const unit = this.room.index.get(name);
      if (unit !== undefined) next[unit] = NUMBERS[state] ?? BOOKED;
    }
    const changed: number[] = [];
    const lost: number[] = [];
    for (let unit = 0; unit < next.length; unit += 1) {
      if (next[unit] !== this.#states[unit]) this.#turn(unit, next[unit] ?? FREE, changed, lost);
    }
    return { changed, lost };
  }

  change(units: Readonly<Record<string, UnitState>>): StateChange {
    const changed: number[] = [];
    const lost: number[] = [];
    for (const [name, state] of Object.entries(units)) {
      const unit = this.room.index.get(name);
      const next = NUMBERS[state] ?? BOOKED;
      if (unit !== undefined && this.#states[unit] !== next) this.#turn(unit, next, changed, lost);
    }
    return { changed, lost };
  }

  /** Applies levels of standing areas; returns whether a chosen quantity had to be reduced. */
  showPools(levels: Readonly<Record<string, PoolLevel>>): boolean {
    let isLess = false;
    for (const [name, level] of Object.entries(levels)) {
      if (!this.pools.has(name)) continue;
      this.pools.set(name, level);
      const chosen = this.quantities.get(name) ?? 0;
      if (chosen > level.available && !this.isHolding) {
        this.setQuantity(name, level.available);
        isLess = true;
      }
    }
    return isLess;
  }

  /** Selects or deselects a unit; false if that is not possible. */
  toggle(unit: number): boolean {
    if (this.#chosen.delete(unit)) {
      this.#refresh(unit);
      return true;
    }
    if (!this.mayChoose(unit) || this.#mine.has(unit) || this.count >= this.max) return false;
    this.#chosen.add(unit);
    this.#refresh(unit);
    return true;
  }

  /** Selects exactly these, as far as possible; returns the changed units. */
  choose(units: readonly number[]): number[] {
    const before = new Set(this.#chosen);
    this.#chosen.clear();
    for (const unit of units) {
      if (this.count < this.max && (this.mayChoose(unit) || this.#mine.has(unit)))
        this.#chosen.add(unit);
    }
    const touched = [...before, ...this.#chosen].filter(
      (unit) => before.has(unit) !== this.#chosen.has(unit),
    );
    for (const unit of touched) this.#refresh(unit);
    return touched;
  }

  /** Sets a quantity, limited by what is left and by the maximum. */
  setQuantity(pool: string, quantity: number): void {
    const level = this.pools.get(pool);
    if (level === undefined || this.mode === "view") return;
    const others = this.count - (this.quantities.get(pool) ?? 0);
    const most = Math.max(0, Math.min(level.available, this.max - others));
    const kept = Math.min(most, Math.max(0, Math.floor(quantity)));
    if (kept > 0) this.quantities.set(pool, kept);
    else this.quantities.delete(pool);
  }

  /** Sets the units that this visitor holds; returns the changed units. */
  setMine(units: readonly string[]): number[] {
    const before = new Set(this.#mine);
    this.#mine.clear();
    for (const name of units) {
      const unit = this.room.index.get(name);
      if (unit !== undefined) this.#mine.add(unit);
    }
    const touched = [...new Set([...before, ...this.#mine])];
    for (const unit of touched) this.#refresh(unit);
    return touched;
  }

  /** After a hold was placed, chosen units that others took meanwhile are lost. */
  setHolding(isHolding: boolean): StateChange {
    this.isHolding = isHolding;
    const changed: number[] = [];
    const lost: number[] = [];
    if (isHolding) return { changed, lost };
    for (const unit of this.#chosen) {
      if (this.#isLost(unit)) this.#turn(unit, this.#states[unit] ?? FREE, changed, lost);
    }
    return { changed, lost };
  }

  #isLost(unit: number): boolean {
    const state = this.#states[unit] ?? FREE;
    if (state === FREE || this.#mine.has(unit)) return false;
    if (this.mode === "block") return state !== BLOCKED;
    return !(this.isHolding && state === HELD);
  }

  #turn(unit: number, next: number, changed: number[], lost: number[]): void {
    const before = this.#states[unit] ?? FREE;
    this.#free += (next === FREE ? 1 : 0) - (before === FREE ? 1 : 0);
    this.#states[unit] = next;
    if (this.#chosen.has(unit) && this.#isLost(unit)) {
      this.#chosen.delete(unit);
      lost.push(unit);
    }
    this.#refresh(unit);
    changed.push(unit);
  }

  #refresh(unit: number): void {
    const own = this.#mine.has(unit) ? MINE : (this.#states[unit] ?? FREE);
    this.kinds[unit] = this.#chosen.has(unit) ? SELECTED : own;
  }
}
