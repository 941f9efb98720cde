// The module that other sites load: it defines the widgets. Loading it twice is harmless.
import { BUY_TAG, BuyElement } from "./buy";
import { verticals } from "./verticals";

const elements = [[BUY_TAG, BuyElement] as const, ...verticals().flatMap((one) => one.elements)];
for (const [tag, element] of elements) {
  if (customElements.get(tag) === undefined) customElements.define(tag, element);
}
