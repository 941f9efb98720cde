// What is behind the element's properties: the shadow root, the room that is shown, the look and the
// words, and what happens when the visitor or the server does something.
import { bestSeats, type BestWish } from "./bestSeats";
import { parseColour } from "./colour";
import type { Ledger, Outcome, PoolLevel } from "./seatStates";
import { makeLook, type Look } from "./look";
import type { Sale, SelectionDetail } from "./seatInfo";
import { Screen, type View } from "./frame";
import type { Refusal } from "./source";
import { STYLE } from "./style";
import { Words } from "./words";

export type SeatMapEvents = {
  "bespeak-select": CustomEvent<SelectionDetail>;
  "bespeak-ready": CustomEvent<{ units: number }>;
  "bespeak-change": CustomEvent<{ units_free: number }>;
  "bespeak-lost": CustomEvent<{ units: string[] }>;
  "bespeak-error": CustomEvent<Refusal>;
};

/** The element without its properties. */
export abstract class SeatMapHost extends HTMLElement {
  protected readonly screen: Screen;
  protected ledger: Ledger | null = null;
  protected sale: Sale | null = null;
  protected look: Look | null = null;
  protected words = new Words("en");
  #watching = new AbortController();

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    this.screen = new Screen({
      onToggle: (unit) => this.#toggle(unit),
      onBox: (units) => this.#addAll(units),
      onQuantity: (pool, quantity) => this.#setQuantity(pool, quantity),
      onView: (view: View) => this.setAttribute("view", view),
      onRetry: () => this.start(),
    });
    root.append(this.screen.frame);
  }

  abstract view: View;
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
    this.ledger?.quantities.clear();
    this.screen.areasChanged();
    this.choose([], true);
  }

  /** Chooses the best free seats together, as a preview of what the engine would choose. None: []. */
  pickBest(quantity: number, wish: BestWish = {}): string[] {
    const ledger = this.ledger;
    if (ledger === null) return [];
    const found = bestSeats(
      ledger.room,
      (unit) => ledger.state(unit) === "free",
      Math.min(quantity, ledger.max),
      wish,
    );
    const units = found.map((unit) => ledger.room.units[unit] ?? "");
    if (units.length === 0) return [];
    const chosen = this.select(units);
    this.reveal(found);
    return chosen;
  }

  /** Shows a unit and puts the keyboard there. */
  focusUnit(unit: string): void {
    const number = this.ledger?.room.index.get(unit);
    if (number === undefined) return;
    if (this.view === "list") this.view = "map";
    this.screen.map?.focusUnit(number);
  }

  /** Where a unit is in the window now, in pixels; null where there is none, or the list is shown. */
  placeOf(unit: string): { x: number; y: number } | null {
    const [number, map] = [this.ledger?.room.index.get(unit), this.screen.map];
    if (number === undefined || !map || this.view === "list") return null;
    return map.placeOf(number);
  }

  /** Shows the whole room. */
  fit(): void {
    this.screen.map?.view.fit();
  }

  /** Follows the page: its size, language and theme, and what the device prefers. */
  protected watch(): void {
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    const resizing = new ResizeObserver(() => this.screen.resize());
    resizing.observe(this.screen.frame);
    const page = new MutationObserver(() => this.redress());
    page.observe(document.documentElement, { attributeFilter: ["lang", "data-theme", "class"] });
    signal.addEventListener("abort", () => {
      resizing.disconnect();
      page.disconnect();
    });
    for (const query of ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)"]) {
      globalThis.matchMedia(query).addEventListener("change", () => this.redress(), { signal });
    }
    // Text drawn before the page's font came is drawn again.
    void document.fonts?.ready.then(() => this.screen.map?.view.refresh());
  }

  protected unwatch(): void {
    this.#watching.abort();
  }

  protected redress(): void {
    const page = this.closest("[lang]") ?? document.documentElement;
    this.words = new Words(this.getAttribute("lang") ?? page.getAttribute("lang") ?? "en");
    const { frame } = this.screen;
    frame.dir = this.words.direction;
    frame.lang = this.words.locale;
    frame.dataset["look"] = this.#isDark() ? "dark" : "light";
    if (this.sale === null) return;
    this.sale.words = this.words;
    this.look = this.makeLook(this.sale);
    this.screen.dress(this.look);
    this.calm();
  }

  #isDark(): boolean {
    const theme = this.getAttribute("theme") ?? document.documentElement.dataset["theme"] ?? "auto";
    if (theme === "dark" || theme === "light") return theme === "dark";
    return globalThis.matchMedia("(prefers-color-scheme: dark)").matches;
  }

  protected calm(): void {
    const isCalm = globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (this.screen.map) this.screen.map.view.isCalm = isCalm;
  }

  protected makeLook(sale: Sale): Look {
    const style = getComputedStyle(this.screen.frame);
    const colour = (name: string) => parseColour(style.getPropertyValue(name));
    const theme = { paper: colour("--_paper"), ink: colour("--_ink"), accent: colour("--_accent") };
    return makeLook({ ...theme, font: style.fontFamily || "sans-serif" }, sale.room.categories);
  }

  #toggle(unit: number): void {
    const [ledger, sale] = [this.ledger, this.sale];
    if (ledger === null || sale === null) return;
    if (!ledger.toggle(unit)) {
      const isFull = ledger.mayChoose(unit) && !ledger.isMine(unit) && ledger.count >= ledger.max;
      if (isFull) this.screen.note(this.words.say("most_chosen", { count: ledger.max }));
      else this.screen.say(sale.sentence(unit));
      return;
    }
    this.screen.changed([unit]);
    const outcome = this.words.say(ledger.isChosen(unit) ? "chosen" : "not_chosen");
    this.screen.say(this.words.list([sale.title(unit), outcome]));
    this.chose();
  }

  #addAll(units: readonly number[]): void {
    const ledger = this.ledger;
    if (ledger === null) return;
    this.screen.changed(ledger.choose([...new Set([...ledger.chosen, ...units])]));
    this.chose();
  }

  #setQuantity(pool: string, quantity: number): void {
    this.ledger?.setQuantity(pool, quantity);
    this.screen.areasChanged();
    this.chose();
  }

  protected choose(units: readonly string[], isTold: boolean): void {
    const ledger = this.ledger;
    if (ledger === null) return;
    const numbers = units.flatMap((unit) => ledger.room.index.get(unit) ?? []);
    this.screen.changed(ledger.choose(numbers));
    if (isTold) this.chose();
  }

  protected chose(): void {
    if (this.sale) this.tell("bespeak-select", this.sale.selection);
  }

  /** Something came from the server: it is shown, and what was lost is told. */
  protected came({ changed, lost }: Outcome, isLive: boolean): void {
    const [ledger, sale] = [this.ledger, this.sale];
    if (ledger === null || sale === null || changed.length === 0) return;
    const others = changed.filter((unit) => !ledger.isMine(unit) && !ledger.isChosen(unit));
    this.screen.changed(changed, isLive ? others : [], lost);
    this.tell("bespeak-change", { units_free: ledger.free });
    if (lost.length === 0) return;
    const names = this.words.list(lost.map((unit) => sale.title(unit)));
    this.screen.note(this.words.say("lost", { count: lost.length, names }));
    this.tell("bespeak-lost", { units: lost.map((unit) => ledger.room.units[unit] ?? "") });
    this.chose();
  }

  protected poolsCame(pools: Readonly<Record<string, PoolLevel>>): void {
    if (this.ledger === null) return;
    const isLess = this.ledger.showPools(pools);
    this.screen.areasChanged();
    if (!isLess) return;
    this.screen.note(this.words.say("area_less"));
    this.chose();
  }

  protected reveal(units: readonly number[]): void {
    const [room, map] = [this.ledger?.room, this.screen.map];
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

  protected tell<K extends keyof SeatMapEvents>(name: K, detail: SeatMapEvents[K]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
