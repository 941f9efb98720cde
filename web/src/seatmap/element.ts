// <bespeak-seatmap>: choose seats of a room in any page. It loads and follows a resource by itself,
// or (property `offline`) shows what the page sets. Loading the module twice is harmless.
import type { BespeakSeatMap } from "@bespeak/browser";
import { SeatMapHost } from "./host";
import { SeatStates, type Mode, type PoolLevel, type UnitState } from "./seatStates";
import { NO_TARIFF, SeatInfo, type Tariff } from "./seatInfo";
import { readPlan, type SeatsPlan } from "./plan";
import { makeRoom } from "./room";
import type { ViewMode } from "./frame";
import { PLAN_MARK } from "./view";
import { Source, type Price, type ResourceData } from "./source";

export type { SeatsPlan } from "./plan";
export type { SeatDetail, PoolDetail, SelectionDetail } from "./seatInfo";
export type { PoolLevel, UnitState } from "./seatStates";
export type { BestWish } from "./bestSeats";
export type { SeatMapEvents } from "./host";

export const TAG = "bespeak-seatmap";
const MAX_DEFAULT = 10;

export class SeatMapElement extends SeatMapHost implements BespeakSeatMap {
  static readonly observedAttributes = [
    "resource",
    "api-key",
    "api-base",
    "mode",
    "max",
    "lang",
    "theme",
    "view",
  ];

  #source: Source | null = null;
  #plan: SeatsPlan | null = null;
  #tariff: Tariff = NO_TARIFF;
  #taken: Readonly<Record<string, UnitState>> = {};
  #pools: Readonly<Record<string, PoolLevel>> = {};
  #wanted: readonly string[] = [];
  #wantedQuantities: Readonly<Record<string, number>> = {};
  #mine: readonly string[] = [];
  #isHolding = false;
  #isOffline = false;
  #isReady = false;
  #isPictured = false;
  #resourceData: ResourceData | null = null;
  #restart = 0;

  connectedCallback(): void {
    for (const name of [
      "plan",
      "prices",
      "currency",
      "taken",
      "pools",
      "selection",
      "mine",
      "offline",
      "defaultPrice",
      "holding",
      "quantities",
    ] as const) {
      this.#upgradeProperty(name);
    }
    this.watch();
    this.updateLook();
    this.start();
  }

  disconnectedCallback(): void {
    this.unwatch();
    this.#wanted = this.selection;
    this.#wantedQuantities = this.quantities;
    this.#source?.stop();
    this.#source = null;
    this.frame.stop();
    this.info = null;
    this.states = null;
    this.#isReady = false;
  }

  #forget(): void {
    this.info = null;
    this.states = null;
    this.#isReady = false;
    this.#plan = null;
    this.#resourceData = null;
    this.#tariff = NO_TARIFF;
    this.#taken = {};
    this.#pools = {};
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.isConnected) return;
    if (name === "resource" || name === "api-key" || name === "api-base") this.#startSoon();
    else if (name === "view") this.frame.setView(this.view);
    else if (name === "mode" || name === "max") this.#changeMode();
    else this.updateLook();
  }

  get plan(): SeatsPlan | null {
    return this.#plan;
  }

  /** The seat map, in the open format. Set by the page when it is offline. */
  set plan(plan: SeatsPlan | null) {
    this.#plan = plan === null ? null : readPlan(plan);
    if (this.isConnected) this.#build();
  }

  get prices(): Readonly<Record<string, number>> {
    return this.#tariff.prices;
  }

  set prices(prices: Readonly<Record<string, number>> | null) {
    this.#setTariff({ prices: prices ?? {} });
  }

  get currency(): string {
    return this.#tariff.currency;
  }

  set currency(currency: string) {
    this.#setTariff({ currency });
  }

  /** The price where a category has none of its own, in minor units. */
  get defaultPrice(): number | null {
    return this.#tariff.defaultPrice;
  }

  set defaultPrice(defaultPrice: number | null) {
    this.#setTariff({ defaultPrice });
  }

  get taken(): Readonly<Record<string, UnitState>> {
    return this.#taken;
  }

  /** The units that are not free; absent units are free. */
  set taken(taken: Readonly<Record<string, UnitState>> | null) {
    this.#taken = taken ?? {};
    // Only changes after the first snapshot are animated.
    if (this.states) this.applyChange(this.states.show(this.#taken), this.#isPictured);
    this.#isPictured = this.states !== null;
  }

  get pools(): Readonly<Record<string, PoolLevel>> {
    return this.states ? Object.fromEntries(this.states.pools) : this.#pools;
  }

  set pools(pools: Readonly<Record<string, PoolLevel>> | null) {
    this.#pools = { ...this.#pools, ...pools };
    this.applyPools(this.#pools);
  }

  /** The chosen seats and whole tables, in order. */
  get selection(): string[] {
    return this.info?.selection.units.map(({ unit }) => unit) ?? [...this.#wanted];
  }

  set selection(units: readonly string[]) {
    this.#wanted = [...units];
    this.choose(units, false);
  }

  /** The chosen quantity of each standing area. */
  get quantities(): Record<string, number> {
    return Object.fromEntries(this.states?.quantities ?? []);
  }

  set quantities(quantities: Readonly<Record<string, number>>) {
    this.#wantedQuantities = { ...quantities };
    const states = this.states;
    if (states === null) return;
    states.quantities.clear();
    for (const [pool, quantity] of Object.entries(quantities)) states.setQuantity(pool, quantity);
    this.frame.areasChanged();
  }

  get mine(): string[] {
    return [...this.#mine];
  }

  /** Units that this visitor holds. They are never reported as lost. */
  set mine(units: readonly string[]) {
    this.#mine = [...units];
    if (this.states === null) return;
    this.frame.changed(this.states.setMine(units));
    this.updateLook();
  }

  get holding(): boolean {
    return this.#isHolding;
  }

  /** Set to true while the page places a hold: units that become held meanwhile may be its own. */
  set holding(isHolding: boolean) {
    this.#isHolding = isHolding;
    if (this.states) this.applyChange(this.states.setHolding(isHolding), true);
  }

  get offline(): boolean {
    return this.#isOffline;
  }

  /** True: nothing is fetched; the page sets the plan and the state. */
  set offline(isOffline: boolean) {
    if (isOffline === this.#isOffline) return;
    this.#isOffline = isOffline;
    if (this.isConnected) this.start();
  }

  get view(): ViewMode {
    return this.getAttribute("view") === "list" ? "list" : "map";
  }

  set view(view: ViewMode) {
    this.setAttribute("view", view);
  }

  get unitsFree(): number | null {
    return this.states?.free ?? null;
  }

  /** The resource as last read from the API; null when offline. */
  get resourceData(): ResourceData | null {
    return this.#resourceData;
  }

  /** Applies a live change, when the page follows the resource itself. */
  update(change: {
    units?: Readonly<Record<string, UnitState>>;
    pools?: Readonly<Record<string, PoolLevel>>;
  }): void {
    if (this.states && change.units) this.applyChange(this.states.change(change.units), true);
    if (change.pools) this.pools = change.pools;
  }

  /** Applies a property that was set before the element was defined. */
  #upgradeProperty(name: keyof this & string): void {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    delete this[name];
    this[name] = value;
  }

  #startSoon(): void {
    cancelAnimationFrame(this.#restart);
    this.#restart = requestAnimationFrame(() => this.start());
  }

  protected override start(): void {
    this.#source?.stop();
    this.#source = null;
    if (this.#isOffline) return this.#build();
    const resource = this.getAttribute("resource") ?? "";
    if (resource === "") {
      if (this.#plan) this.#build();
      else this.frame.showLoading(this.words);
      return;
    }
    this.#forget();
    this.frame.showLoading(this.words);
    const source = new Source(
      {
        base: this.getAttribute("api-base") ?? "",
        resource,
        key: this.getAttribute("api-key") ?? "",
      },
      {
        onResource: (data, price) => this.#readResource(data, price),
        onPrices: (prices) => {
          if (JSON.stringify(prices) !== JSON.stringify(this.prices)) this.prices = prices;
        },
        onTaken: (taken) => {
          this.#taken = taken;
          if (this.states) this.applyChange(this.states.show(taken), this.#isReady);
          this.#ready();
        },
        onPools: (pools) => {
          this.pools = pools;
        },
        onChange: (units) => {
          if (this.states) this.applyChange(this.states.change(units), true);
        },
        onConnection: (isLost) => this.frame.setOffline(this.words, isLost),
        onError: (failure) => {
          if (!this.#isReady) this.frame.showFailure(this.words, this.words.text("failed"), true);
          this.emit("bespeak-error", failure);
        },
      },
    );
    this.#source = source;
    void source.start();
  }

  #readResource(data: ResourceData, price: Price | null): void {
    this.#resourceData = data;
    this.#setTariff({ defaultPrice: price?.amount ?? null, currency: price?.currency ?? "" });
    const plan = readPlan(data["plan"]);
    if (plan === null) {
      this.frame.showFailure(this.words, this.words.text("no_plan"), false);
      this.emit("bespeak-error", { code: "no_seat_map", detail: "The resource has no seat map" });
      return;
    }
    if (this.states && JSON.stringify(plan) === JSON.stringify(this.#plan)) {
      this.updateLook();
      return;
    }
    this.#plan = plan;
    this.#build();
  }

  /** Builds the room of the plan, and keeps the chosen units that still exist. */
  #build(): void {
    const plan = this.#plan;
    if (plan === null) {
      this.frame.showLoading(this.words);
      return;
    }
    performance.mark(PLAN_MARK);
    const chosen = this.#isReady ? this.selection : this.#wanted;
    const quantities = this.#isReady ? this.quantities : this.#wantedQuantities;
    const states = new SeatStates(makeRoom(plan));
    const info = new SeatInfo(states.room, states, this.words);
    this.states = states;
    this.info = info;
    this.learnNames(info);
    info.tariff = this.#tariff;
    states.isHolding = this.#isHolding;
    this.#applyMode();
    states.show(this.#taken);
    states.showPools(this.#pools);
    states.setMine(this.#mine);
    states.choose(chosen.flatMap((unit) => states.room.index.get(unit) ?? []));
    for (const [pool, quantity] of Object.entries(quantities)) states.setQuantity(pool, quantity);
    this.look = this.makeLook(info);
    this.frame.showRoom(info, this.look, this.view);
    this.updateMotion();
    if (this.#isReady && states.chosen.length < chosen.length) this.selectionChanged();
    if (this.#isOffline || this.getAttribute("resource") === null) this.#ready();
  }

  protected override translations(): readonly unknown[] {
    return [this.#plan?.translations, this.#resourceData?.["translations"]];
  }

  #ready(): void {
    if (this.#isReady || this.states === null) return;
    this.#isReady = true;
    this.emit("bespeak-ready", { units: this.states.room.units.length });
    this.emit("bespeak-change", { units_free: this.states.free });
  }

  #applyMode(): void {
    const states = this.states;
    if (states === null) return;
    const given = this.getAttribute("mode");
    const mode: Mode = given === "view" || given === "block" ? given : "select";
    const max = Number(this.getAttribute("max") ?? (mode === "block" ? Infinity : MAX_DEFAULT));
    states.max = Number.isNaN(max) ? MAX_DEFAULT : Math.max(0, max);
    states.mode = mode;
  }

  /** Another mode clears the selection; a lower limit keeps what was chosen first. */
  #changeMode(): void {
    const states = this.states;
    if (states === null) return;
    const before = states.mode;
    this.#applyMode();
    const kept = states.mode === before ? states.chosen : [];
    const changed = states.choose(kept);
    this.frame.changed(changed);
    if (changed.length > 0) this.selectionChanged();
    this.updateLook();
  }

  #setTariff(part: Partial<Tariff>): void {
    this.#tariff = { ...this.#tariff, ...part };
    if (this.info === null || this.look === null) return;
    this.info.tariff = this.#tariff;
    this.frame.applyLook(this.look);
  }
}

if (typeof customElements !== "undefined" && customElements.get(TAG) === undefined) {
  customElements.define(TAG, SeatMapElement);
}
