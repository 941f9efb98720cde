// Standing areas: how many places are left, and a stepper to choose some.
import { button, make, put, sign, SIGNS } from "./dom";
import type { SeatInfo } from "./seatInfo";

const SHOWN_MAX = 100;

export class Areas {
  readonly element = make("div", { class: "areas", part: "areas", role: "group" });
  readonly #info: SeatInfo;
  readonly #onQuantity: (pool: string, quantity: number) => void;

  constructor(info: SeatInfo, onQuantity: (pool: string, quantity: number) => void) {
    this.#info = info;
    this.#onQuantity = onQuantity;
    this.draw();
  }

  /** Draws again; the focused button keeps the focus. */
  draw(): void {
    const { room, words, states } = this.#info;
    const focused = this.element.querySelector<HTMLElement>("button:focus")?.dataset["key"];
    this.element.hidden = room.pools.length === 0;
    put(this.element, "aria-label", words.text("areas"));
    const areas = room.pools.slice(0, SHOWN_MAX).map((pool) => {
      const chosen = states.quantities.get(pool.unit) ?? 0;
      const available = states.pools.get(pool.unit)?.available ?? 0;
      const mayMore = states.mode !== "view" && chosen < available && states.count < states.max;
      const step = (name: string, path: string, by: number, may: boolean) => {
        const made = button("round", "", () => {
          if (may) this.#onQuantity(pool.unit, chosen + by);
        });
        made.append(sign(path));
        made.dataset["key"] = `${name} ${pool.unit}`;
        put(made, "aria-label", words.text(name, { name: this.#info.named(pool.unit) }));
        put(made, "aria-disabled", may ? null : "true");
        return made;
      };
      const price = words.money(this.#info.priceOf(pool.category), this.#info.tariff.currency);
      const about = make(
        "div",
        { class: "about" },
        make("strong", {}, this.#info.named(pool.unit)),
        make(
          "span",
          { class: "quiet" },
          [price, this.#info.left(pool)].filter(Boolean).join(" · "),
        ),
      );
      const stepper = make(
        "div",
        { class: "stepper" },
        step("fewer", SIGNS.minus, -1, chosen > 0),
        make("output", { "aria-live": "polite" }, String(chosen)),
        step("more", SIGNS.plus, 1, mayMore),
      );
      const area = make("div", { class: "area" }, about, states.mode === "view" ? null : stepper);
      area.dataset["pool"] = pool.unit;
      return area;
    });
    this.element.replaceChildren(...areas);
    for (const one of this.element.querySelectorAll("button"))
      if (one.dataset["key"] === focused) one.focus();
  }

  focus(pool: string): void {
    for (const area of this.element.querySelectorAll<HTMLElement>(".area")) {
      if (area.dataset["pool"] !== pool) continue;
      area.querySelector<HTMLElement>("button:last-of-type")?.focus();
      area.scrollIntoView({ block: "nearest" });
    }
  }
}
