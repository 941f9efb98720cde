// What the map, the list and events say about a seat: its name, price, category and state.
import type { SeatDetail, SelectionDetail } from "@bespeak/browser";
import type { SeatStates } from "./seatStates";
import type { Room, RoomPool } from "./room";
import { ACCESSIBLE, COMPANION } from "./seats";
import { named } from "./vocabulary";
import type { Words } from "./words";

export type { PoolDetail, SeatDetail, SelectionDetail } from "@bespeak/browser";

export type Tariff = {
  readonly prices: Readonly<Record<string, number>>;
  readonly currency: string;
  /** The price of categories without one, in minor units. */
  readonly defaultPrice: number | null;
};

export const NO_TARIFF: Tariff = { prices: {}, currency: "", defaultPrice: null };

export class SeatInfo {
  readonly room: Room;
  readonly states: SeatStates;
  words: Words;
  tariff = NO_TARIFF;

  constructor(room: Room, states: SeatStates, words: Words) {
    this.room = room;
    this.states = states;
    this.words = words;
  }

  priceOf(category: string | null): number | null {
    if (category === null) return this.tariff.defaultPrice;
    const listed = this.room.categories.find(({ name }) => name === category)?.price;
    return this.tariff.prices[category] ?? listed ?? this.tariff.defaultPrice;
  }

  #bank(unit: number) {
    return this.room.banks[this.room.bank[unit] ?? -1];
  }

  categoryOf(unit: number): string {
    return this.room.categories[this.room.category[unit] ?? 0]?.name ?? "";
  }

  detail(unit: number): SeatDetail {
    const { room } = this;
    const bank = this.#bank(unit);
    const category = this.categoryOf(unit);
    return {
      unit: room.units[unit] ?? "",
      section: room.sections[bank?.section ?? -1]?.name ?? "",
      row: bank?.name ?? "",
      seat: room.labels[unit] ?? "",
      category,
      price: this.priceOf(category),
      accessible: room.access[unit] === ACCESSIBLE,
      x: room.x[unit] ?? 0,
      y: room.y[unit] ?? 0,
    };
  }

  get selection(): SelectionDetail {
    const units = this.states.chosen.map((unit) => this.detail(unit));
    const pools = [...this.states.quantities].map(([unit, quantity]) => ({
      unit,
      quantity,
      price: this.priceOf(this.room.pools.find((pool) => pool.unit === unit)?.category ?? null),
    }));
    const seats = units.reduce((sum, { price }) => sum + (price ?? 0), 0);
    const places = pools.reduce((sum, { price, quantity }) => sum + (price ?? 0) * quantity, 0);
    return { units, pools, amount: seats + places, currency: this.tariff.currency };
  }

  /** What a text of the room is called in the language of the map. */
  named(text: string): string {
    return named(this.room.vocabulary, text);
  }

  /** "Row F, seat 7", or the name of a table. */
  title(unit: number): string {
    const { room, words } = this;
    const bank = this.#bank(unit);
    if (unit >= room.seats) {
      const count = room.tables.find((table) => table.unit === unit)?.seats ?? 1;
      return words.text("whole_table", { name: this.named(bank?.name ?? ""), count });
    }
    const name = this.named(bank?.name ?? "");
    const row = words.text(bank?.kind === "table" ? "table" : "row", { name });
    return words.list([row, words.text("seat", { name: room.labels[unit] ?? "" })]);
  }

  /** The section's name; empty if there is only one. */
  section(unit: number): string {
    if (this.room.sections.length < 2) return "";
    return this.named(this.room.sections[this.#bank(unit)?.section ?? -1]?.name ?? "");
  }

  access(unit: number): string {
    const access = this.room.access[unit];
    if (access === ACCESSIBLE) return this.words.text("accessible");
    return access === COMPANION ? this.words.text("companion") : "";
  }

  stateName(unit: number): string {
    if (this.states.isChosen(unit)) return this.words.text("state_selected");
    if (this.states.isMine(unit)) return this.words.text("state_mine");
    return this.words.text(`state_${this.states.state(unit)}`);
  }

  price(unit: number): string {
    return this.words.money(this.priceOf(this.categoryOf(unit)), this.tariff.currency);
  }

  /** Everything in one line, for screen readers. */
  sentence(unit: number): string {
    const [section, category] = [this.section(unit), this.named(this.categoryOf(unit))];
    return this.words.list([
      this.title(unit),
      section.toLowerCase() === category.toLowerCase() ? "" : section,
      this.access(unit),
      category,
      this.price(unit),
      this.stateName(unit),
    ]);
  }

  left(pool: RoomPool): string {
    const count = this.states.pools.get(pool.unit)?.available ?? pool.capacity;
    return count > 0 ? this.words.text("area_left", { count }) : this.words.text("area_none");
  }
}
