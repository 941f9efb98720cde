// <bespeak-buy>: a button that leads to the shop's page of one date, show or other resource, with
// its lowest price and what is left, or the reason why nothing can be bought.
import { make } from "~/seatmap/dom";
import { type Offer, type Place, readOffer } from "./api";
import { pathOfKind } from "./verticals";
import { Widget } from "./widget";
import type { Words } from "./words";

export const BUY_TAG = "bespeak-buy";

export class BuyElement extends Widget {
  static override readonly observedAttributes = [
    ...Widget.observedAttributes,
    "resource",
    "label",
    "target",
  ];

  protected override async content(
    place: Place,
    words: Words,
    signal: AbortSignal,
  ): Promise<readonly Node[]> {
    const resource = this.getAttribute("resource") ?? "";
    const offer = await readOffer(place, resource, words.locale, signal, pathOfKind);
    this.emit("bespeak-ready", { state: offer.state, units_free: offer.unitsFree });
    return [this.#button(resource, offer, words)];
  }

  #button(resource: string, offer: Offer, words: Words): HTMLElement {
    const label = this.getAttribute("label") ?? words.text("buy");
    const standing = words.standing(offer);
    if (offer.state !== "on_sale") {
      return make("span", { class: "buy", part: "button", "data-over": true }, standing);
    }
    const told = words.list([words.price(offer), standing]);
    return make(
      "a",
      {
        class: "buy",
        part: "button",
        href: `${this.base}/shows/${encodeURIComponent(resource)}`,
        target: this.getAttribute("target"),
        // Another window must not get at this one.
        rel: "noopener",
      },
      make("span", { class: "label", part: "label" }, label),
      told ? make("span", { class: "told", part: "told" }, told) : null,
    );
  }
}
