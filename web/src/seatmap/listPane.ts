// The seats as a list of sections, rows and buttons, for screen readers, keyboards and preference.
// Closed sections have no elements, so that 20,000 seats stay fast.
import { button, make, put, sign, SIGNS } from "./dom";
import type { SeatInfo } from "./seatInfo";

const OPEN_ROOM_MAX = 400;
const OPEN_SECTION_MAX = 600;
const ROWS_AT_ONCE = 60;

export type ListEvents = { onToggle: (unit: number) => void };

type Part = { count: () => number; note: HTMLElement };

export class ListPane {
  readonly element = make("div", { class: "list", part: "list", role: "region" });
  readonly #info: SeatInfo;
  readonly #events: ListEvents;
  readonly #buttons = new Map<number, HTMLButtonElement>();
  readonly #parts: Part[] = [];
  readonly #open = new Map<string, boolean>();
  #onlyFree = false;
  #isShown = false;

  constructor(info: SeatInfo, events: ListEvents) {
    this.#info = info;
    this.#events = events;
  }

  show(): void {
    this.#isShown = true;
    this.#draw();
  }

  hide(): void {
    this.#isShown = false;
    this.element.replaceChildren();
    this.#buttons.clear();
    this.#parts.length = 0;
  }

  changed(units: readonly number[]): void {
    if (!this.#isShown) return;
    for (const unit of units) {
      const made = this.#buttons.get(unit);
      if (made !== undefined) this.#update(made, unit);
    }
    for (const { count, note } of this.#parts)
      note.textContent = this.#info.words.text("section_free", { count: count() });
  }

  #draw(): void {
    const { words, room } = this.#info;
    this.#buttons.clear();
    this.#parts.length = 0;
    put(this.element, "aria-label", words.text("list"));
    const box = make("input", { type: "checkbox", checked: this.#onlyFree });
    box.addEventListener("change", () => {
      this.#onlyFree = box.checked;
      this.#draw();
      this.element.querySelector("input")?.focus();
    });
    const sections = room.sections.flatMap((section, number) => {
      const units = section.banks.flatMap((bank) => this.#unitsOf(bank));
      if (units.length === 0) return [];
      const isAlone = room.sections.length === 1 || room.units.length <= OPEN_ROOM_MAX;
      const content = () => this.#rows(section.banks, units.length > OPEN_SECTION_MAX);
      return [this.#part(`s${number}`, this.#info.named(section.name), 3, units, content, isAlone)];
    });
    this.element.replaceChildren(
      make("label", { class: "only" }, box, words.text("only_free")),
      ...sections,
    );
  }

  #unitsOf(bank: number): number[] {
    const { start, stop } = this.#info.room.banks[bank] ?? { start: 0, stop: 0 };
    return Array.from({ length: stop - start }, (_, place) => start + place);
  }

  #part(
    key: string,
    name: string,
    level: number,
    units: readonly number[],
    content: () => Node[],
    isOpen = false,
  ): HTMLElement {
    const { words, states } = this.#info;
    const count = () =>
      units.reduce((sum, unit) => sum + (states.state(unit) === "free" ? 1 : 0), 0);
    const note = make("span", { class: "quiet" }, words.text("section_free", { count: count() }));
    this.#parts.push({ count, note });
    const body = make("div", { class: "inside" });
    const head = button("opener", "", () => show(head.getAttribute("aria-expanded") !== "true"));
    head.append(sign(SIGNS.chevron), make("span", { class: "name" }, name), note);
    const show = (isShown: boolean) => {
      put(head, "aria-expanded", String(isShown));
      if (isShown) {
        this.#open.set(key, true);
        body.replaceChildren(...content());
      } else {
        this.#open.set(key, false);
        for (const unit of units) this.#buttons.delete(unit);
        body.replaceChildren();
      }
      body.hidden = !isShown;
    };
    show(this.#open.get(key) ?? isOpen);
    const heading = make("div", { role: "heading", "aria-level": level }, head);
    return make("section", { "data-level": level }, heading, body);
  }

  #rows(banks: readonly number[], isClosed: boolean): Node[] {
    const { room, words } = this.#info;
    const made: Node[] = [];
    banks.slice(0, ROWS_AT_ONCE).forEach((bank) => made.push(this.#row(bank, isClosed)));
    if (banks.length > ROWS_AT_ONCE) {
      // Further rows are collapsed in parts that name their rows.
      for (let from = ROWS_AT_ONCE; from < banks.length; from += ROWS_AT_ONCE) {
        const some = banks.slice(from, from + ROWS_AT_ONCE);
        const name = [some[0], some.at(-1)]
          .map((bank) => this.#info.named(room.banks[bank ?? -1]?.name ?? ""))
          .join(" – ");
        const units = some.flatMap((bank) => this.#unitsOf(bank));
        const content = () => some.map((bank) => this.#row(bank, true));
        made.push(this.#part(`p${some[0] ?? 0}`, words.text("row", { name }), 4, units, content));
      }
    }
    return made;
  }

  #row(bank: number, isClosed: boolean): Node {
    const { room, words, states } = this.#info;
    const { kind, name } = room.banks[bank] ?? { kind: "row", name: "" };
    const title = words.text(kind === "table" ? "table" : "row", { name: this.#info.named(name) });
    const units = this.#unitsOf(bank);
    const seats = () => {
      const some = this.#onlyFree
        ? units.filter((unit) => states.state(unit) === "free" || states.isChosen(unit))
        : units;
      if (some.length === 0) return [make("p", { class: "quiet" }, words.text("nothing_free"))];
      return [
        make(
          "div",
          { class: "seats", role: "group", "aria-label": title },
          ...some.map((unit) => this.#seat(unit)),
        ),
      ];
    };
    if (isClosed) return this.#part(`r${bank}`, title, 4, units, seats);
    return make(
      "div",
      { class: "row" },
      make("span", { class: "name", "aria-hidden": "true" }, title),
      ...seats(),
    );
  }

  #seat(unit: number): HTMLButtonElement {
    const made = button("seat", "", () => this.#events.onToggle(unit));
    this.#buttons.set(unit, made);
    this.#update(made, unit);
    return made;
  }

  #update(made: HTMLButtonElement, unit: number): void {
    const { states, room } = this.#info;
    const isChosen = states.isChosen(unit);
    const kind = isChosen ? "selected" : states.isMine(unit) ? "mine" : states.state(unit);
    made.textContent = (isChosen ? "✓ " : "") + (room.labels[unit] ?? "");
    put(made, "aria-pressed", String(isChosen));
    put(made, "aria-disabled", isChosen || states.mayChoose(unit) ? null : "true");
    put(made, "aria-label", this.#info.sentence(unit));
    put(
      made,
      "title",
      [
        this.#info.access(unit),
        this.#info.named(this.#info.categoryOf(unit)),
        this.#info.price(unit),
      ]
        .filter(Boolean)
        .join(" · "),
    );
    put(made, "data-kind", kind);
    put(
      made,
      "data-access",
      room.access[unit] === 1 ? "accessible" : room.access[unit] === 2 ? "companion" : null,
    );
  }
}
