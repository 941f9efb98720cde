// The base of the element: shadow root, room, theme and language, and what happens on input and on
// changes from the server.
import type { SeatMapEvents } from "@bespeak/browser";
import { boxOf, grown } from "./box";
import { bestSeats, type BestWish } from "./bestSeats";
import { parseColour } from "./colour";
import type { SeatStates, StateChange, PoolLevel } from "./seatStates";
import { makeLook, type Look } from "./look";
import type { Point } from "./plan";
import { STANDARD } from "./plan";
import type { SeatInfo } from "./seatInfo";
import { MapFrame, type ViewMode } from "./frame";
import STYLE from "./element.css?inline";
import { vocabularyFor } from "./vocabulary";
import { Words } from "./words";

export type { SeatMapEvents } from "@bespeak/browser";

export abstract class SeatMapHost extends HTMLElement {
  protected readonly frame: MapFrame;
  protected states: SeatStates | null = null;
  protected info: SeatInfo | null = null;
  protected look: Look | null = null;
  protected words = new Words("en");
  #watching = new AbortController();

  constructor() {
    super();
    // Constructable, so that it works under a strict content security policy.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    this.frame = new MapFrame({
      onToggle: (unit) => this.#toggle(unit),
      onBox: (units) => this.#addAll(units),
      onQuantity: (pool, quantity) => this.#setQuantity(pool, quantity),
      onView: (view: ViewMode) => this.setAttribute("view", view),
      onRetry: () => this.start(),
    });
    root.append(this.frame.element);
  }

  abstract view: ViewMode;
  abstract get selection(): string[];
  abstract set selection(units: readonly string[]);

  protected abstract start(): void;

  /** Selects these units instead, as far as they are free, and emits the selection. */
  select(units: readonly string[]): string[] {
    this.choose(units, true);
    return this.selection;
  }

  clear(): void {
    this.states?.quantities.clear();
    this.frame.areasChanged();
    this.choose([], true);
  }

  /** Selects the best free seats together, as a preview of what the engine would choose; [] if
   * there are none. */
  pickBest(quantity: number, wish: BestWish = {}): string[] {
    const states = this.states;
    if (states === null) return [];
    const found = bestSeats(
      states.room,
      (unit) => states.state(unit) === "free",
      Math.min(quantity, states.max),
      wish,
    );
    const units = found.map((unit) => states.room.units[unit] ?? "");
    if (units.length === 0) return [];
    const chosen = this.select(units);
    this.reveal(found);
    return chosen;
  }

  /** Shows these units, all of them at once, and leaves the keyboard where it is. */
  showUnits(units: readonly string[]): void {
    const states = this.states;
    if (states === null) return;
    const found = units.flatMap((unit) => states.room.index.get(unit) ?? []);
    if (found.length > 0) this.reveal(found);
  }

  focusUnit(unit: string): void {
    const number = this.states?.room.index.get(unit);
    if (number === undefined) return;
    if (this.view === "list") this.view = "map";
    this.frame.map?.focusUnit(number);
  }

  /** The position of a unit in the window, in pixels; null if there is none, or the list is shown.
   */
  placeOf(unit: string): { x: number; y: number } | null {
    const [number, map] = [this.states?.room.index.get(unit), this.frame.map];
    if (number === undefined || !map || this.view === "list") return null;
    return map.placeOf(number);
  }

  fit(): void {
    this.frame.map?.view.fit();
  }

  /** Observes the page's size, language and theme, and the device's preferences. */
  protected watch(): void {
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    const resizing = new ResizeObserver(() => this.frame.resize());
    resizing.observe(this.frame.element);
    const page = new MutationObserver(() => this.updateLook());
    page.observe(document.documentElement, { attributeFilter: ["lang", "data-theme", "class"] });
    signal.addEventListener("abort", () => {
      resizing.disconnect();
      page.disconnect();
    });
    for (const query of ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)"]) {
      globalThis.matchMedia(query).addEventListener("change", () => this.updateLook(), { signal });
    }
    // Draws text again once the page's font is loaded.
    void document.fonts?.ready.then(() => this.frame.map?.view.refresh());
  }

  protected unwatch(): void {
    this.#watching.abort();
  }

  protected updateLook(): void {
    const page = this.closest("[lang]") ?? document.documentElement;
    this.words = new Words(this.getAttribute("lang") ?? page.getAttribute("lang") ?? "en");
    const { element } = this.frame;
    element.dir = this.words.direction;
    element.lang = this.words.locale;
    element.dataset["look"] = this.#isDark() ? "dark" : "light";
    if (this.info === null) return;
    this.info.words = this.words;
    this.learnNames(this.info);
    this.look = this.makeLook(this.info);
    this.frame.applyLook(this.look);
    this.updateMotion();
  }

  /** What the texts of the room are called, in lists of translations, the strongest last. */
  protected abstract translations(): readonly unknown[];

  protected learnNames(info: SeatInfo): void {
    const names = vocabularyFor(this.words.locale, ...this.translations());
    // The category of seats that nobody gave one.
    info.room.vocabulary = { [STANDARD]: this.words.text("standard"), ...names };
  }

  #isDark(): boolean {
    const theme = this.getAttribute("theme") ?? document.documentElement.dataset["theme"] ?? "auto";
    if (theme === "dark" || theme === "light") return theme === "dark";
    return globalThis.matchMedia("(prefers-color-scheme: dark)").matches;
  }

  protected updateMotion(): void {
    const isReducedMotion = globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (this.frame.map) this.frame.map.view.isReducedMotion = isReducedMotion;
  }

  protected makeLook(info: SeatInfo): Look {
    const style = getComputedStyle(this.frame.element);
    const colour = (name: string) => parseColour(style.getPropertyValue(name));
    const theme = { paper: colour("--_paper"), ink: colour("--_ink"), accent: colour("--_accent") };
    return makeLook({ ...theme, font: style.fontFamily || "sans-serif" }, info.room.categories);
  }

  #toggle(unit: number): void {
    const [states, info] = [this.states, this.info];
    if (states === null || info === null) return;
    if (!states.toggle(unit)) {
      const isFull = states.mayChoose(unit) && !states.isMine(unit) && states.count >= states.max;
      if (isFull) this.frame.notify(this.words.text("most_chosen", { count: states.max }));
      else this.frame.announce(info.sentence(unit));
      return;
    }
    this.frame.changed([unit]);
    const outcome = this.words.text(states.isChosen(unit) ? "chosen" : "not_chosen");
    this.frame.announce(this.words.list([info.title(unit), outcome]));
    this.selectionChanged();
  }

  #addAll(units: readonly number[]): void {
    const states = this.states;
    if (states === null) return;
    this.frame.changed(states.choose([...new Set([...states.chosen, ...units])]));
    this.selectionChanged();
  }

  #setQuantity(pool: string, quantity: number): void {
    this.states?.setQuantity(pool, quantity);
    this.frame.areasChanged();
    this.selectionChanged();
  }

  protected choose(units: readonly string[], isTold: boolean): void {
    const states = this.states;
    if (states === null) return;
    const numbers = units.flatMap((unit) => states.room.index.get(unit) ?? []);
    this.frame.changed(states.choose(numbers));
    if (isTold) this.selectionChanged();
  }

  protected selectionChanged(): void {
    if (this.info) this.emit("bespeak-select", this.info.selection);
  }

  /** Shows changes from the server, and reports chosen units that were lost. */
  protected applyChange({ changed, lost }: StateChange, isLive: boolean): void {
    const [states, info] = [this.states, this.info];
    if (states === null || info === null || changed.length === 0) return;
    const others = changed.filter((unit) => !states.isMine(unit) && !states.isChosen(unit));
    this.frame.changed(changed, isLive ? others : [], lost);
    this.emit("bespeak-change", { units_free: states.free });
    if (lost.length === 0) return;
    const names = this.words.list(lost.map((unit) => info.title(unit)));
    this.frame.notify(this.words.text("lost", { count: lost.length, names }));
    this.emit("bespeak-lost", { units: lost.map((unit) => states.room.units[unit] ?? "") });
    this.selectionChanged();
  }

  protected applyPools(pools: Readonly<Record<string, PoolLevel>>): void {
    if (this.states === null) return;
    const isLess = this.states.showPools(pools);
    this.frame.areasChanged();
    if (!isLess) return;
    this.frame.notify(this.words.text("area_less"));
    this.selectionChanged();
  }

  protected reveal(units: readonly number[]): void {
    const [room, map] = [this.states?.room, this.frame.map];
    if (!room || !map || this.view === "list") return;
    const places = units.map((unit): Point => [room.x[unit] ?? 0, room.y[unit] ?? 0]);
    map.view.show(grown(boxOf(places), 5));
  }

  protected emit<K extends keyof SeatMapEvents>(name: K, detail: SeatMapEvents[K]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
