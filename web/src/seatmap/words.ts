// The texts of the seat map.
import { ElementWords } from "~/i18n/elementWords";
import ar from "~/i18n/locales/ar/seatmap.json";
import de from "~/i18n/locales/de/seatmap.json";
import en from "~/i18n/locales/en/seatmap.json";

export class Words extends ElementWords {
  /** The texts for a language tag, or English. */
  constructor(tag: string) {
    super(tag, { en, de, ar });
  }
}
