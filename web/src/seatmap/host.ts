// What is behind the element's properties: the shadow root, the room that is shown, the look and the
// words, and what happens when the visitor or the server does something.
import { bestSeats, type BestWish } from "./bestSeats";
import { parseColour } from "./colour";
import type { SeatStates, StateChange, PoolLevel } from "./seatStates";
import { makeLook, type Look } from "./look";
import type { SeatInfo, SelectionDetail } from "./seatInfo";
import { MapFrame, type ViewMode } from "./frame";
import type { SourceError } from "./source";
import { STYLE } from "./style";
import { Words } from "./words";

export type SeatMapEvents = {
  "bespeak-select": CustomEvent<SelectionDetail>;
  "bespeak-ready": CustomEvent<{ units: number }>;
  "bespeak-change": CustomEvent<{ units_free: number }>;
  "bespeak-lost": CustomEvent<{ units: string[] }>;
  "bespeak-error": CustomEvent<SourceError>;
};

/** The element without its properties. */
export abstract class SeatMapHost extends HTMLElement {
  protected readonly frame: MapFrame;
  protected states: SeatStates | null = null;
  protected info: SeatInfo | null = null;
  protected look: Look | null = null;
  protected words = new Words("en");
  #watching = new AbortController();

  constructor() {
    super();
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

  /** Begins anew with what the attributes say. */
  protected abstract start(): void;

  /** Chooses these units instead of what is chosen, as far as they are free, and says so. */
  select(units: readonly string[]): string[] {
    this.choose(units, true);
    return this.selection;
  }

  /** Chooses nothing any more. */
  clear(): void {
    this.states?.quantities.clear();
    this.frame.areasChanged();
    this.choose([], true);
  }

  /** Chooses the best free seats together, as a preview of what the engine would choose. None: []. */
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

  /** Shows a unit and puts the keyboard there. */
  focusUnit(unit: string): void {
    const number = this.states?.room.index.get(unit);
    if (number === undefined) return;
    if (this.view === "list") this.view = "map";
    this.frame.map?.focusUnit(number);
  }

  /** Where a unit is in the window now, in pixels; null where there is none, or the list is shown. */
  placeOf(unit: string): { x: number; y: number } | null {
    const [number, map] = [this.states?.room.index.get(unit), this.frame.map];
    if (number === undefined || !map || this.view === "list") return null;
    return map.placeOf(number);
  }

  /** Shows the whole room. */
  fit(): void {
    this.frame.map?.view.fit();
  }

  /** Follows the page: its size, language and theme, and what the device prefers. */
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
    // Text drawn before the page's font came is drawn again.
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
    this.look = this.makeLook(this.info);
    this.frame.applyLook(this.look);
    this.updateMotion();
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
      if (isFull) this.frame.note(this.words.say("most_chosen", { count: states.max }));
      else this.frame.say(info.sentence(unit));
      return;
    }
    this.frame.changed([unit]);
    const outcome = this.words.say(states.isChosen(unit) ? "chosen" : "not_chosen");
    this.frame.say(this.words.list([info.title(unit), outcome]));
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

  /** Something came from the server: it is shown, and what was lost is told. */
  protected applyChange({ changed, lost }: StateChange, isLive: boolean): void {
    const [states, info] = [this.states, this.info];
    if (states === null || info === null || changed.length === 0) return;
    const others = changed.filter((unit) => !states.isMine(unit) && !states.isChosen(unit));
    this.frame.changed(changed, isLive ? others : [], lost);
    this.emit("bespeak-change", { units_free: states.free });
    if (lost.length === 0) return;
    const names = this.words.list(lost.map((unit) => info.title(unit)));
    this.frame.note(this.words.say("lost", { count: lost.length, names }));
    this.emit("bespeak-lost", { units: lost.map((unit) => states.room.units[unit] ?? "") });
    this.selectionChanged();
  }

  protected applyPools(pools: Readonly<Record<string, PoolLevel>>): void {
    if (this.states === null) return;
    const isLess = this.states.showPools(pools);
    this.frame.areasChanged();
    if (!isLess) return;
    this.frame.note(this.words.say("area_less"));
    this.selectionChanged();
  }

  protected reveal(units: readonly number[]): void {
    const [room, map] = [this.states?.room, this.frame.map];
    if (!room || !map || this.view === "list") return;
    const xs = units.map((unit) => room.x[unit] ?? 0);
    const ys = units.map((unit) => room.y[unit] ?? 0);
    const around = 5;
    map.view.show({
      left: Math.min(...xs) - around,
      right: Math.max(...xs) + around,
      top: Math.min(...ys) - around,
      bottom: Math.max(...ys) + around,
    });
  }

  protected emit<K extends keyof SeatMapEvents>(name: K, detail: SeatMapEvents[K]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
