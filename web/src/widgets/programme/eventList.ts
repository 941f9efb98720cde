// <bespeak-events>: the events that are to come, as cards that lead to the shop's pages.
import { make } from "~/seatmap/dom";
import type { Place } from "../api";
import { Widget } from "../widget";
import type { Words } from "../words";
import { type ListedEvent, readEvents } from "./events";

export const EVENTS_TAG = "bespeak-events";

/** Attributes that narrow the list, as the API names them. */
const FILTERS = ["venue", "city", "kind", "series", "search", "from", "to"] as const;
const LIMIT_DEFAULT = 12;
const LIMIT_MAX = 100;

export class EventsElement extends Widget {
  static override readonly observedAttributes = [
    ...Widget.observedAttributes,
    ...FILTERS,
    "limit",
    "target",
  ];

  protected override async content(
    place: Place,
    words: Words,
    signal: AbortSignal,
  ): Promise<readonly Node[]> {
    const events = await readEvents(place, this.#filters(), words.locale, signal);
    this.emit("bespeak-ready", { count: events.length });
    if (events.length === 0) return [make("p", { class: "quiet" }, words.text("no_events"))];
    const cards = events.map((event) => make("li", {}, this.#card(event, words)));
    // The role stays where a list has no marks.
    return [make("ul", { class: "events", role: "list", part: "list" }, ...cards)];
  }

  #filters(): Record<string, string> {
    const asked = Number(this.getAttribute("limit") ?? LIMIT_DEFAULT);
    const limit = Number.isInteger(asked) && asked > 0 ? Math.min(asked, LIMIT_MAX) : LIMIT_DEFAULT;
    const filters: Record<string, string> = { limit: String(limit) };
    for (const name of FILTERS) {
      const value = this.getAttribute(name);
      if (value) filters[name] = value;
    }
    return filters;
  }

  #card(event: ListedEvent, words: Words): HTMLElement {
    const { offer, startsAt } = event;
    const line = (name: string, text: string) =>
      text === "" ? null : make("span", { class: name, part: name }, text);
    return make(
      "a",
      {
        class: "card",
        part: "card",
        href: `${this.base}/events/${encodeURIComponent(event.id)}`,
        target: this.getAttribute("target"),
        rel: "noopener",
      },
      this.#picture(event),
      make(
        "span",
        { class: "texts" },
        line("title", event.title),
        line("performers", words.list(event.performers)),
        startsAt === null ? null : line("when", words.when(startsAt, event.timeZone)),
        line("venue", event.venue),
        line("told", words.list([words.price(offer), words.standing(offer)])),
      ),
    );
  }

  /** A picture is where the API says; another server's address is not loaded. */
  #picture({ picture, pictureText, title }: ListedEvent): HTMLElement {
    if (picture === null || !picture.startsWith("/")) {
      return make("span", { class: "blank", "aria-hidden": "true" }, title.slice(0, 1));
    }
    const source = new URL(picture, this.base).href;
    return make("img", { src: source, alt: pictureText, loading: "lazy", part: "picture" });
  }
}
