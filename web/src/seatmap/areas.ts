// Standing areas: how many are left, and how many one wants.
import { button, make, put, sign, SIGNS } from "./dom";
import type { Sale } from "./seatInfo";

const SHOWN_MAX = 100;

export class Areas {
  readonly element = make("div", { class: "areas", part: "areas", role: "group" });
  readonly #sale: Sale;
  readonly #onQuantity: (pool: string, quantity: number) => void;

  constructor(sale: Sale, onQuantity: (pool: string, quantity: number) => void) {
    this.#sale = sale;
    this.#onQuantity = onQuantity;
    this.draw();
  }

  /** As it is now; the button that has the focus keeps it. */
  draw(): void {
    const { room, words, ledger } = this.#sale;
    const focused = this.element.querySelector<HTMLElement>("button:focus")?.dataset["key"];
    this.element.hidden = room.pools.length === 0;
    put(this.element, "aria-label", words.say("areas"));
    const areas = room.pools.slice(0, SHOWN_MAX).map((pool) => {
      const chosen = ledger.quantities.get(pool.unit) ?? 0;
      const available = ledger.pools.get(pool.unit)?.available ?? 0;
      const mayMore = ledger.mode !== "view" && chosen < available && ledger.count < ledger.max;
      const step = (name: string, path: string, by: number, may: boolean) => {
        const made = button("round", "", () => {
          if (may) this.#onQuantity(pool.unit, chosen + by);
        });
        made.append(sign(path));
        made.dataset["key"] = `${name} ${pool.unit}`;
        put(made, "aria-label", words.say(name, { name: pool.unit }));
        put(made, "aria-disabled", may ? null : "true");
        return made;
      };
      const price = words.money(this.#sale.priceOf(pool.category), this.#sale.currency);
      const about = make(
        "div",
        { class: "about" },
        make("strong", {}, pool.unit),
        make(
          "span",
          { class: "quiet" },
          [price, this.#sale.left(pool)].filter(Boolean).join(" · "),
        ),
      );
      const stepper = make(
        "div",
        { class: "stepper" },
        step("fewer", SIGNS.minus, -1, chosen > 0),
        make("output", { "aria-live": "polite" }, String(chosen)),
        step("more", SIGNS.plus, 1, mayMore),
      );
      const area = make("div", { class: "area" }, about, ledger.mode === "view" ? null : stepper);
      area.dataset["pool"] = pool.unit;
      return area;
    });
    this.element.replaceChildren(...areas);
    for (const one of this.element.querySelectorAll("button"))
      if (one.dataset["key"] === focused) one.focus();
  }

  /** The steps of an area get the focus, because it was tapped on the map. */
  focus(pool: string): void {
    for (const area of this.element.querySelectorAll<HTMLElement>(".area")) {
      if (area.dataset["pool"] !== pool) continue;
      area.querySelector<HTMLElement>("button:last-of-type")?.focus();
      area.scrollIntoView({ block: "nearest" });
    }
  }
}
