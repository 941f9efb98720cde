// The interactive map: pointers, keys, the card of a seat, zoom buttons and minimap. It reports
// what was tapped and selects nothing itself.
import { button, make, put, sign, SIGNS } from "./dom";
import { listen, type ScreenPoint } from "./gestures";
import type { Look } from "./look";
import { MiniMap } from "./minimap";
import type { SeatInfo } from "./seatInfo";
import { firstUnit, neighbour, rowEnd, type Direction } from "./neighbours";
import { isWithin } from "./box";
import type { Room } from "./room";
import { RoomView } from "./view";

export type MapEvents = {
  onToggle: (unit: number) => void;
  onBox: (units: number[]) => void;
  onPool: (pool: string) => void;
  announce: (sentence: string) => void;
};

const TOUCH_REACH = 22;
const MOUSE_REACH = 12;
/** A tap on smaller seats zooms in instead of selecting. */
const TOUCH_SEAT_LEAST = 15;
const MOUSE_SEAT_LEAST = 8;
const NEAR_SEAT = 34;
const ZOOM_STEP = 1.6;
const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

export class MapPane {
  readonly element = make("div", { class: "map", part: "map" });
  readonly view: RoomView;
  readonly #info: SeatInfo;
  readonly #events: MapEvents;
  readonly #pad = make("div", { class: "pad", tabindex: 0, role: "application" });
  readonly #card = make("div", { class: "card", part: "card", hidden: true });
  readonly #controls = make("div", { class: "zoom", part: "controls" });
  readonly #mini: MiniMap;
  readonly #listening = new AbortController();
  #active = -1;
  #hovered = -1;

  constructor(info: SeatInfo, look: Look, events: MapEvents) {
    this.#info = info;
    this.#events = events;
    const canvas = make("canvas", { "aria-hidden": "true" });
    const top = make("canvas", { "aria-hidden": "true" });
    this.view = new RoomView({
      canvas,
      top,
      states: info.states,
      look,
      left: (pool) => info.left(pool),
      onMoved: (isFit) => this.#onMoved(isFit),
    });
    this.#mini = new MiniMap(info, this.view);
    this.element.append(canvas, top, this.#pad, this.#mini.element, this.#controls, this.#card);
    this.#listen();
    this.updateLabels();
  }

  get room(): Room {
    return this.#info.room;
  }

  updateLabels(): void {
    const { words } = this.#info;
    put(this.#pad, "aria-label", words.text("map"));
    put(this.#pad, "aria-roledescription", words.text("map"));
    put(this.#pad, "aria-description", words.text("map_help"));
    const control = (key: string, path: string, act: () => void) => {
      const made = button("round", "", act);
      made.append(sign(path));
      put(made, "aria-label", words.text(key));
      put(made, "title", words.text(key));
      return made;
    };
    const middle = () => ({ x: this.view.size.width / 2, y: this.view.size.height / 2 });
    this.#controls.replaceChildren(
      control("zoom_in", SIGNS.plus, () => this.view.zoom(ZOOM_STEP, middle(), true)),
      control("zoom_out", SIGNS.minus, () => this.view.zoom(1 / ZOOM_STEP, middle(), true)),
      control("fit", SIGNS.fit, () => this.view.fit()),
    );
  }

  stop(): void {
    this.#listening.abort();
    this.view.stop();
    this.#mini.stop();
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    this.view.resize({ width, height }, globalThis.devicePixelRatio || 1);
    this.#mini.refresh();
    this.#onMoved(this.view.isFit);
  }

  /** Draws changed units again; those that others changed flash. */
  changed(
    units: readonly number[],
    others: readonly number[] = [],
    lost: readonly number[] = [],
  ): void {
    this.view.redraw(units);
    if (others.length > 0) this.view.overlay.glow(others);
    if (lost.length > 0) this.view.overlay.glow(lost, true);
    this.#mini.refresh();
    const shown = Number(this.#card.dataset["unit"] ?? -1);
    if (shown >= 0 && units.includes(shown)) this.#showCard(shown);
  }

  focusUnit(unit: number): void {
    this.#activate(unit, false);
    this.#pad.focus({ preventScroll: true });
  }

  placeOf(unit: number): ScreenPoint {
    const { left, top } = this.element.getBoundingClientRect();
    const { x, y } = this.view.toScreen(this.room.x[unit] ?? 0, this.room.y[unit] ?? 0);
    return { x: x + left + this.element.clientLeft, y: y + top + this.element.clientTop };
  }

  #listen(): void {
    const { view } = this;
    const { signal } = this.#listening;
    listen(
      this.#pad,
      {
        onTap: (at, isTouch, isDouble) => this.#tap(at, isTouch, isDouble),
        onHover: (at) => this.#hover(at),
        onDrag: (x, y) => {
          view.drag(x, y);
          put(this.element, "data-moving", true);
        },
        onFling: (x, y) => {
          put(this.element, "data-moving", false);
          view.fling(x, y);
        },
        onZoom: (factor, at) => view.zoom(factor, at),
        onWheel: (x, y) => view.drag(x, y),
        onBox: (from, to, isDone) => this.#box(from, to, isDone),
        mayDrawBox: () => this.#info.states.mode === "block",
      },
      signal,
    );
    this.#pad.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#pad.addEventListener(
      "focus",
      () => {
        // Keyboard focus starts at the last unit, or in the middle of the visible part.
        if (this.#pad.matches(":focus-visible"))
          this.#activate(this.#active >= 0 ? this.#active : this.#first(), true);
      },
      { signal },
    );
    this.#pad.addEventListener(
      "blur",
      () => {
        view.overlay.focus(-1);
        this.#hideCard();
      },
      { signal },
    );
  }

  #first(): number {
    const { width, height } = this.view.size;
    const { x, y } = this.view.toRoom({ x: width / 2, y: height / 2 });
    return firstUnit(this.room, this.view.grid, x, y, (unit) => this.#info.states.mayChoose(unit));
  }

  #unitAt(at: ScreenPoint, reach: number): number {
    const { x, y } = this.view.toRoom(at);
    const { scale } = this.view.camera;
    const table = this.room.tables.find(
      (one) => one.unit >= 0 && Math.hypot(one.x - x, one.y - y) <= one.radius + 0.3,
    );
    if (table !== undefined) return table.unit;
    return this.view.grid.nearest(
      x,
      y,
      Math.max(0.62, reach / scale),
      (unit) => unit < this.room.seats,
    );
  }

  #tap(at: ScreenPoint, isTouch: boolean, isDouble: boolean): void {
    const { view } = this;
    const least = isTouch ? TOUCH_SEAT_LEAST : MOUSE_SEAT_LEAST;
    const isFar = view.camera.scale < least;
    const unit = this.#unitAt(at, isTouch ? TOUCH_REACH : MOUSE_REACH);
    if (unit >= 0 && isFar && unit < this.room.seats) {
      view.zoom(NEAR_SEAT / view.camera.scale, at, true);
      return;
    }
    if (unit >= 0) {
      this.#active = unit;
      this.#events.onToggle(unit);
      if (isTouch) this.#showCard(unit);
      return;
    }
    this.#hideCard();
    const { x, y } = view.toRoom(at);
    const pool = this.room.pools.find(({ outline }) => isWithin(outline, x, y));
    if (pool !== undefined) this.#events.onPool(pool.unit);
    else if (isDouble) view.zoom(ZOOM_STEP * 1.4, at, true);
  }

  #hover(at: ScreenPoint | null): void {
    const unit = at === null ? -1 : this.#unitAt(at, 2);
    if (unit === this.#hovered) return;
    this.#hovered = unit;
    this.view.overlay.hover(unit);
    const isOver = unit >= 0 && this.#info.states.mayChoose(unit);
    put(this.element, "data-over", isOver || (unit >= 0 && this.#info.states.isChosen(unit)));
    if (unit < 0) this.#hideCard();
    else this.#showCard(unit);
  }

  #box(from: ScreenPoint, to: ScreenPoint, isDone: boolean): void {
    this.view.overlay.box(isDone ? null : from, isDone ? null : to);
    if (!isDone) return;
    const [one, other] = [this.view.toRoom(from), this.view.toRoom(to)];
    const units: number[] = [];
    const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)];
    const [top, bottom] = [Math.min(one.y, other.y), Math.max(one.y, other.y)];
    this.view.grid.within({ left, top, right, bottom }, (unit) => units.push(unit));
    this.#events.onBox(units.sort((a, b) => a - b));
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const direction = ARROWS[event.key];
    const from = this.#active >= 0 ? this.#active : this.#first();
    const { width, height } = this.view.size;
    const middle = { x: width / 2, y: height / 2 };
    if (from < 0) return;
    if (direction !== undefined)
      this.#activate(neighbour(this.room, this.view.grid, from, direction), true);
    else if (event.key === "Home" || event.key === "End") {
      this.#activate(rowEnd(this.room, from, event.key === "Home" ? "left" : "right"), true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#activate(from, false);
      this.#events.onToggle(from);
    } else if (event.key === "+" || event.key === "=") this.view.zoom(ZOOM_STEP, middle, true);
    else if (event.key === "-" || event.key === "_") this.view.zoom(1 / ZOOM_STEP, middle, true);
    else if (event.key === "0") this.view.fit();
    else if (event.key === "Escape" && !this.#card.hidden) this.#hideCard();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #activate(unit: number, isSaid: boolean): void {
    if (unit < 0) return;
    this.#active = unit;
    this.view.overlay.focus(unit);
    this.view.reveal(
      this.room.x[unit] ?? 0,
      this.room.y[unit] ?? 0,
      Math.min(20, this.view.fitScale * 6),
    );
    this.#showCard(unit);
    if (isSaid) this.#events.announce(this.#info.sentence(unit));
  }

  #showCard(unit: number): void {
    const info = this.#info;
    const category = this.view.look.categories[this.room.category[unit] ?? 0];
    const swatch = make("span", { class: "swatch" });
    swatch.style.setProperty("--swatch", category?.fill ?? "");
    const state =
      info.states.state(unit) === "free" && !info.states.isChosen(unit) ? "" : info.stateName(unit);
    const table = this.room.tables.find((one) => one.unit === unit);
    const notes = [
      info.access(unit),
      table ? info.words.text("seats_here", { count: table.seats }) : "",
      state,
    ];
    this.#card.replaceChildren(
      make("strong", {}, info.title(unit)),
      ...(info.section(unit) ? [make("span", { class: "quiet" }, info.section(unit))] : []),
      make(
        "span",
        { class: "line" },
        swatch,
        make("span", { class: "category" }, info.named(info.categoryOf(unit))),
        make("b", {}, info.price(unit)),
      ),
      ...notes.filter((note) => note !== "").map((note) => make("span", { class: "quiet" }, note)),
    );
    this.#card.hidden = false;
    this.#placeCard(unit);
  }

  #placeCard(unit: number): void {
    const { width, height } = this.view.size;
    const { x, y } = this.view.toScreen(this.room.x[unit] ?? 0, this.room.y[unit] ?? 0);
    const { offsetWidth, offsetHeight } = this.#card;
    const gap = Math.max(12, this.view.camera.scale * 0.62);
    const left = Math.min(Math.max(8, x - offsetWidth / 2), Math.max(8, width - offsetWidth - 8));
    const above = y - gap - offsetHeight;
    const top = above >= 6 ? above : Math.min(y + gap, height - offsetHeight - 6);
    this.#card.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    this.#card.dataset["unit"] = String(unit);
  }

  #hideCard(): void {
    this.#card.hidden = true;
    delete this.#card.dataset["unit"];
  }

  #onMoved(isFit: boolean): void {
    put(this.element, "data-fit", isFit);
    this.#mini.moved(isFit);
    const unit = this.#card.dataset["unit"];
    if (!this.#card.hidden && unit !== undefined) this.#placeCard(Number(unit));
  }
}
