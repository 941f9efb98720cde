// The content of the element: toolbar, map, list, areas, key and messages of one room.
import { Areas } from "./areas";
import { button, make, put, sign, SIGNS } from "./dom";
import { key, legend } from "./legend";
import { ListPane } from "./listPane";
import type { Look } from "./look";
import { MapPane } from "./mapPane";
import type { SeatInfo } from "./seatInfo";
import type { Words } from "./words";

export type ViewMode = "map" | "list";

export type FrameEvents = {
  onToggle: (unit: number) => void;
  onBox: (units: number[]) => void;
  onQuantity: (pool: string, quantity: number) => void;
  onView: (view: ViewMode) => void;
  onRetry: () => void;
};

const NOTE_MS = 6500;

export class MapFrame {
  readonly element = make("div", { class: "frame", part: "frame" });
  map: MapPane | null = null;
  readonly #events: FrameEvents;
  readonly #bar = make("div", { class: "bar", part: "bar" });
  readonly #body = make("div", { class: "body" });
  readonly #foot = make("div", { class: "foot" });
  readonly #notes = make("div", { class: "note", role: "status" });
  readonly #spoken = make("div", { class: "sr", "aria-live": "polite" });
  #offline: HTMLElement | null = null;
  #list: ListPane | null = null;
  #areas: Areas | null = null;
  #info: SeatInfo | null = null;
  #view: ViewMode = "map";
  #filter = -1;

  constructor(events: FrameEvents) {
    this.#events = events;
    this.element.append(this.#bar, this.#body, this.#foot, this.#spoken);
  }

  showLoading(words: Words): void {
    const skeleton = make("div", { class: "skeleton", "aria-hidden": "true" });
    for (let row = 0; row < 4; row += 1) skeleton.append(make("i"));
    this.#message(make("p", { role: "status", class: "sr" }, words.text("loading")), skeleton);
  }

  showFailure(words: Words, sentence: string, mayRetry: boolean): void {
    const again = mayRetry
      ? button("again", words.text("retry"), () => this.#events.onRetry())
      : null;
    this.#message(make("p", { role: "alert" }, sentence), ...(again ? [again] : []));
  }

  showRoom(info: SeatInfo, look: Look, view: ViewMode): void {
    this.stop();
    this.#info = info;
    this.#view = view;
    this.#filter = -1;
    this.map = new MapPane(info, look, {
      onToggle: (unit) => this.#events.onToggle(unit),
      onBox: (units) => this.#events.onBox(units),
      onPool: (pool) => this.#areas?.focus(pool),
      announce: (sentence) => this.announce(sentence),
    });
    this.#list = new ListPane(info, { onToggle: (unit) => this.#events.onToggle(unit) });
    this.#areas = new Areas(info, (pool, quantity) => this.#events.onQuantity(pool, quantity));
    this.#body.replaceChildren(this.map.element, this.#list.element, this.#notes);
    // Where there are no seats, how many comes first; a map is worth looking at where somebody drew it.
    const { room } = info;
    const isDrawn = room.pools.some(({ isPlaced }) => isPlaced);
    const only =
      room.units.length > 0 || room.pools.length === 0 ? "" : isDrawn ? "drawn" : "plain";
    put(this.element, "data-areas", only || null);
    this.applyLook(look);
    this.setView(view);
  }

  /** Draws again after a change of language, prices or theme. */
  applyLook(look: Look): void {
    const info = this.#info;
    if (info === null || this.map === null) return;
    if (look !== this.map.view.look) this.map.view.look = look;
    this.map.updateLabels();
    this.#drawBar();
    this.#areas?.draw();
    const signs = info.room.units.length > 0 ? [key(info, look)] : [];
    this.#foot.replaceChildren(this.#areas?.element ?? "", ...signs);
    if (this.#view === "list") this.#list?.show();
  }

  setView(view: ViewMode): void {
    this.#view = view;
    if (this.map === null || this.#list === null) return;
    this.map.element.hidden = view === "list";
    this.#list.element.hidden = view === "map";
    if (view === "list") this.#list.show();
    else {
      this.#list.hide();
      this.map.resize();
    }
    this.#drawBar();
  }

  changed(
    units: readonly number[],
    others: readonly number[] = [],
    lost: readonly number[] = [],
  ): void {
    this.map?.changed(units, others, lost);
    this.#list?.changed(units);
  }

  areasChanged(): void {
    this.#areas?.draw();
    this.map?.view.refresh();
  }

  resize(): void {
    if (this.#view === "map") this.map?.resize();
  }

  announce(sentence: string): void {
    this.#spoken.textContent = sentence;
  }

  /** Shows a message for some seconds. */
  notify(sentence: string): void {
    const line = make("p", {}, sentence);
    this.#notes.replaceChildren(...(this.#offline ? [this.#offline] : []), line);
    setTimeout(() => line.remove(), NOTE_MS);
  }

  setOffline(words: Words, isOffline: boolean): void {
    if (isOffline === (this.#offline !== null)) return;
    this.#offline?.remove();
    this.#offline = isOffline ? make("p", {}, words.text("reconnecting")) : null;
    if (this.#offline) this.#notes.prepend(this.#offline);
  }

  stop(): void {
    this.map?.stop();
    this.map = null;
    this.#list = null;
    this.#areas = null;
    this.#info = null;
  }

  #message(...children: Node[]): void {
    this.stop();
    put(this.element, "data-areas", null);
    this.#bar.replaceChildren();
    this.#foot.replaceChildren();
    this.#body.replaceChildren(make("div", { class: "message" }, ...children));
  }

  #drawBar(): void {
    const info = this.#info;
    if (info === null || this.map === null) return;
    const { words } = info;
    const focused = this.#bar.querySelector<HTMLElement>("button:focus")?.dataset["at"];
    const views = make("div", {
      class: "views",
      part: "views",
      role: "group",
      "aria-label": words.text("views"),
    });
    for (const view of ["map", "list"] as const) {
      const one = button("", "", () => this.#events.onView(view));
      one.append(sign(SIGNS[view]), words.text(`view_${view}`));
      put(one, "aria-pressed", String(this.#view === view));
      views.append(one);
    }
    const chips = legend(info, this.map.view.look, this.#filter, (category) => {
      this.#filter = category;
      if (this.map) this.map.view.filter = category;
      this.#drawBar();
    });
    this.#bar.replaceChildren(chips, views);
    this.#bar.querySelectorAll("button").forEach((one, number) => {
      one.dataset["at"] = String(number);
      if (String(number) === focused) one.focus();
    });
  }
}
