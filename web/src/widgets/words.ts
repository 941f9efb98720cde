// The texts of the widgets, and how a sale stands in words.
import { ElementWords } from "~/i18n/elementWords";
import ar from "~/i18n/locales/ar/widgets.json";
import de from "~/i18n/locales/de/widgets.json";
import en from "~/i18n/locales/en/widgets.json";
import type { Offer } from "./api";

/** So few left that it is said. */
const FEW = 20;

export class Words extends ElementWords {
  /** The texts for a language tag, or English. */
  constructor(tag: string) {
    super(tag, { en, de, ar });
  }

  /** What it costs at least: "from €12". */
  price({ price }: Offer): string {
    if (price === null) return "";
    const money = this.money(price.amount, price.currency);
    return price.amount === 0 ? money : this.text("from", { money });
  }

  /** How many are left where that is few, or why nothing can be bought. */
  standing({ state, unitsFree }: Offer): string {
    if (state !== "on_sale") return this.text(`state_${state}`);
    if (unitsFree === null || unitsFree > FEW) return "";
    return this.text("left", { count: unitsFree });
  }

  /** When it begins, by the clocks of the place. */
  when(startsAt: string, timeZone: string | null): string {
    const options = { dateStyle: "full", timeStyle: "short" } as const;
    return new Intl.DateTimeFormat(this.locale, {
      ...options,
      ...(timeZone !== null && { timeZone }),
    }).format(new Date(startsAt));
  }
}
