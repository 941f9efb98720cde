// Draws a room and the state of its seats on a canvas, or only the units that changed. Seats are
// dots when small, then shapes, then have numbers.
import { onScreen, visibleBox, type Camera, type Size } from "./camera";
import type { Grid } from "./grid";
import type { Look } from "./look";
import { around, type Box } from "./box";
import type { Room, RoomPool, RoomTable } from "./room";
import { Scenery } from "./scenery";
import { ORDINARY } from "./seats";
import { BOOKED, FREE, SELECTED, Sprites } from "./sprites";

type Context = CanvasRenderingContext2D;

const SPRITES_FROM_PIXELS = 4.5;
const NUMBERS_FROM_PIXELS = 19;
const TURN_LEAST = 0.004;
const DIMMED = 0.18;
const AT_TABLE = 0.9;
/** The size of a dot: taken, free, one's own. */
const DOT_SHARES = [0.42, 0.72, 1.25];

/** What is drawn: `kinds` has the kind of each unit (see sprites.ts), `filter` the only category that
 * is not dimmed, or -1. */
export type PaintState = {
  readonly kinds: Uint8Array;
  readonly filter: number;
  readonly left: (pool: RoomPool) => string;
  /** Without text, because all of it would be too small. */
  readonly isPlain?: boolean;
};

/** One drawing: where, as the camera sees it, and which units. */
type Pass = {
  readonly context: Context;
  readonly camera: Camera;
  readonly ratio: number;
  readonly state: PaintState;
  readonly units: readonly number[];
  readonly view: Box;
};

export class Painter {
  readonly room: Room;
  readonly look: Look;
  readonly #grid: Grid;
  readonly #sprites: Sprites;
  readonly #scenery: Scenery;

  constructor(room: Room, look: Look, grid: Grid) {
    this.room = room;
    this.look = look;
    this.#grid = grid;
    this.#sprites = new Sprites(look);
    this.#scenery = new Scenery(room, look);
  }

  /** Draws the visible part; with `only`, just these units. */
  paint(
    context: Context,
    camera: Camera,
    size: Size,
    ratio: number,
    state: PaintState,
    only?: readonly number[],
  ): void {
    const pixels = camera.scale;
    const view = visibleBox(camera, size, pixels * 1.5);
    const units: number[] = [];
    const pass: Pass = { context, camera, ratio, state, units, view };
    context.save();
    if (only === undefined) {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, size.width * ratio, size.height * ratio);
      this.#grid.within(view, (unit) => units.push(unit));
    } else {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.#clip(context, camera, only, units);
    }
    context.setTransform(pixels * ratio, 0, 0, pixels * ratio, camera.x * ratio, camera.y * ratio);
    this.#scenery.under(context, pixels, view, state.filter);
    if (pixels < SPRITES_FROM_PIXELS) this.#dots(pass);
    else this.#stamps(pass);
    this.#wholeTables(pass);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!state.isPlain) {
      const place = (x: number, y: number) => onScreen(camera, [x, y]);
      if (pixels >= NUMBERS_FROM_PIXELS) this.#numbers(pass);
      this.#scenery.text({ context, pixels, view, place }, state.left);
    }
    context.restore();
  }

  #clip(context: Context, camera: Camera, only: readonly number[], units: number[]): void {
    const { x, y, seats, tables } = this.room;
    const { scale } = camera;
    const near = new Set<number>();
    context.beginPath();
    for (const unit of only) {
      const table = unit >= seats ? tables.find((one) => one.unit === unit) : undefined;
      const reach = (table?.radius ?? 0) + 0.62 + 1 / scale;
      const [middleX, middleY] = [x[unit] ?? 0, y[unit] ?? 0];
      const left = Math.floor((middleX - reach) * scale + camera.x);
      const top = Math.floor((middleY - reach) * scale + camera.y);
      const side = Math.ceil(reach * 2 * scale) + 1;
      context.rect(left, top, side, side);
      context.clearRect(left, top, side, side);
      this.#grid.within(around(middleX, middleY, reach + 0.7), (other) => near.add(other));
    }
    context.clip();
    units.push(...near);
  }

  /** Each seat as a small square of its colour; what is taken is fainter and smaller. */
  #dots({ context, camera, ratio, state, units }: Pass): void {
    const { x, y, category, seats } = this.room;
    const { categories, accent, line } = this.look;
    const pixels = camera.scale * ratio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    // By layer: taken, free, one's own. Later ones are drawn over earlier ones.
    const groups = new Map<
      string,
      { side: number; colour: string; alpha: number; own: number[] }
    >();
    for (const unit of units) {
      if (unit >= seats) continue;
      const number = category[unit] ?? 0;
      const kind = state.kinds[unit] ?? FREE;
      const layer = kind === FREE ? 1 : kind >= SELECTED ? 2 : 0;
      const alpha = state.filter >= 0 && state.filter !== number ? DIMMED : 1;
      const colour = [line, categories[number]?.dot ?? "", accent][layer] ?? "";
      const name = `${layer} ${alpha} ${colour}`;
      const group = groups.get(name);
      const side = Math.max(1, pixels * (DOT_SHARES[layer] ?? 1));
      if (group === undefined) groups.set(name, { side, colour, alpha, own: [unit] });
      else group.own.push(unit);
    }
    const ordered = [...groups].sort(([one], [other]) => one.localeCompare(other));
    for (const [, { side, colour, alpha, own }] of ordered) {
      context.fillStyle = colour;
      context.globalAlpha = alpha;
      const sharp = side >= 3 ? Math.round : (value: number) => value;
      for (const unit of own) {
        const left = ((x[unit] ?? 0) * camera.scale + camera.x) * ratio - side / 2;
        const top = ((y[unit] ?? 0) * camera.scale + camera.y) * ratio - side / 2;
        context.fillRect(sharp(left), sharp(top), sharp(side), sharp(side));
      }
    }
    context.globalAlpha = 1;
  }

  #stamps({ context, camera, ratio, state, units }: Pass): void {
    const { x, y, turn, category, access, seats, bank, banks } = this.room;
    const pixels = camera.scale * ratio;
    for (const unit of units) {
      if (unit >= seats) continue;
      const number = category[unit] ?? 0;
      const kind = state.kinds[unit] ?? FREE;
      const { image, half } = this.#sprites.get(pixels, number, kind, access[unit] ?? ORDINARY);
      const left = ((x[unit] ?? 0) * camera.scale + camera.x) * ratio;
      const top = ((y[unit] ?? 0) * camera.scale + camera.y) * ratio;
      // Signs are read upright.
      const isUpright = access[unit] !== ORDINARY || kind >= BOOKED;
      const angle = isUpright ? 0 : (turn[unit] ?? 0);
      context.globalAlpha = alphaOf(state, number, kind);
      if (Math.abs(angle) < TURN_LEAST) {
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.drawImage(image, Math.round(left - half), Math.round(top - half));
      } else {
        // Seats round a table stand close at their fronts.
        const share = banks[bank[unit] ?? 0]?.kind === "table" ? AT_TABLE : 1;
        const [cosine, sine] = [Math.cos(angle) * share, Math.sin(angle) * share];
        context.setTransform(cosine, sine, -sine, cosine, left, top);
        context.drawImage(image, -half, -half);
      }
    }
    context.globalAlpha = 1;
  }

  #numbers({ context, camera, state, units }: Pass): void {
    const { x, y, labels, category, access, seats } = this.room;
    const { scale } = camera;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `600 ${Math.min(15, scale * 0.36)}px ${this.look.font}`;
    for (const unit of units) {
      if (unit >= seats || access[unit] !== ORDINARY || state.kinds[unit] !== FREE) continue;
      const number = category[unit] ?? 0;
      if (state.filter >= 0 && state.filter !== number) continue;
      context.fillStyle = this.look.categories[number]?.ink ?? this.look.ink;
      const left = (x[unit] ?? 0) * scale + camera.x;
      const middle = (y[unit] ?? 0) * scale + camera.y - scale * 0.035;
      context.fillText(labels[unit] ?? "", left, middle, scale * 0.62);
    }
  }

  /** Tables that are sold whole: a disc with chairs around it, in the colours of its state. */
  #wholeTables(pass: Pass): void {
    const { context, camera, ratio, state, view } = pass;
    const { look, room } = this;
    const { scale } = camera;
    for (const table of room.tables) {
      const { x, y, radius, unit } = table;
      if (unit < 0 || x + radius < view.left || x - radius > view.right) continue;
      const number = room.category[unit] ?? 0;
      const category = look.categories[number];
      const kind = state.kinds[unit] ?? FREE;
      if (category === undefined) continue;
      const isOwn = kind >= SELECTED;
      context.setTransform(scale * ratio, 0, 0, scale * ratio, camera.x * ratio, camera.y * ratio);
      context.translate(x, y);
      context.rotate((table.turn * Math.PI) / 180);
      context.globalAlpha = alphaOf(state, number, kind);
      context.fillStyle = isOwn ? look.accent : kind === FREE ? category.fill : look.taken;
      context.strokeStyle = isOwn ? look.accent : kind === FREE ? category.edge : look.line;
      context.lineWidth = Math.max(0.05, 1 / scale);
      const half = Math.max(0.6, Math.floor((table.seats + 1) / 2) / 2 - 0.08);
      chairs(context, table.seats, table.isRound, radius);
      context.beginPath();
      if (table.isRound) context.arc(0, 0, Math.max(0.5, radius - 0.5), 0, Math.PI * 2);
      else context.roundRect(-half, -0.5, half * 2, 1, 0.16);
      context.fill();
      context.stroke();
      if (scale >= 6) this.#tableSign(pass, table, kind, category.ink);
      context.globalAlpha = 1;
    }
  }

  #tableSign({ context, camera, ratio }: Pass, table: RoomTable, kind: number, ink: string): void {
    const { scale } = camera;
    const isOwn = kind >= SELECTED;
    const sign = isOwn ? "✓" : kind === BOOKED ? "×" : table.name;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = `650 ${Math.min(16, Math.max(9, scale * 0.5))}px ${this.look.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = isOwn ? this.look.accentInk : kind === FREE ? ink : this.look.muted;
    context.fillText(sign, table.x * scale + camera.x, table.y * scale + camera.y, scale * 1.7);
  }
}

/** Seats of other categories than the only one that is shown are faint, but not one's own. */
function alphaOf({ filter }: PaintState, category: number, kind: number): number {
  return filter >= 0 && filter !== category && kind < SELECTED ? DIMMED : 1;
}

function chairs(context: Context, seats: number, isRound: boolean, radius: number): void {
  const side = Math.floor((seats + 1) / 2);
  for (let seat = 0; seat < seats; seat += 1) {
    const angle = seat * ((2 * Math.PI) / seats);
    const reach = Math.max(0.5, radius - 0.5) + 0.3;
    const along = (seat < side ? seat : 2 * side - 1 - seat) - (side - 1) / 2;
    const [x, y] = isRound
      ? [reach * Math.sin(angle), -reach * Math.cos(angle)]
      : [along, seat < side ? -0.78 : 0.78];
    context.beginPath();
    context.arc(x, y, 0.24, 0, Math.PI * 2);
    context.fill();
    context.stroke();
  }
}
