// Draws a room with the state of its seats on a canvas: everything that is seen, or only the places
// that have changed. Far away seats are dots, nearer they have a shape, near enough a number.
import { visibleBox, type Camera, type Size } from "./camera";
import type { Grid } from "./grid";
import type { Look } from "./look";
import type { Point } from "./plan";
import type { Box } from "./box";
import type { Room, RoomPool } from "./room";
import { Scenery } from "./scenery";
import { ORDINARY } from "./seats";
import { BOOKED, FREE, SELECTED, Sprites } from "./sprites";

type Context = CanvasRenderingContext2D;

const SPRITES_FROM_PIXELS = 4.5;
const NUMBERS_FROM_PIXELS = 19;
const TURN_LEAST = 0.004;
const DIMMED = 0.18;
const AT_TABLE = 0.9;

/** What is drawn: `kinds` has the kind of each unit (see sprites.ts), `filter` the only category that
 * is not dimmed, or -1. */
export type PaintState = {
  readonly kinds: Uint8Array;
  readonly filter: number;
  /** What is written on a standing area below its name. */
  readonly left: (pool: RoomPool) => string;
  /** Nothing is written, because all of it is too small. */
  readonly isPlain?: boolean;
};

/** Draws one room in one look. */
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

  /** Draws what the camera sees; with `only`, units of which only the places are drawn anew. */
  paint(
    context: Context,
    camera: Camera,
    size: Size,
    ratio: number,
    scene: PaintState,
    only?: readonly number[],
  ): void {
    const pixels = camera.scale;
    const view = visibleBox(camera, size, pixels * 1.5);
    context.save();
    const units: number[] = [];
    if (only === undefined) {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, size.width * ratio, size.height * ratio);
      this.#grid.within(view, (unit) => units.push(unit));
    } else {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.#clip(context, camera, only, units);
    }
    context.setTransform(pixels * ratio, 0, 0, pixels * ratio, camera.x * ratio, camera.y * ratio);
    this.#scenery.under(context, pixels, view, scene.filter);
    if (pixels < SPRITES_FROM_PIXELS) this.#dots(context, camera, ratio, scene, units);
    else this.#stamps(context, camera, ratio, scene, units);
    this.#wholeTables(context, camera, ratio, scene, view);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const place = (x: number, y: number): Point => [x * pixels + camera.x, y * pixels + camera.y];
    if (scene.isPlain) return context.restore();
    if (pixels >= NUMBERS_FROM_PIXELS) this.#numbers(context, camera, scene, units);
    this.#scenery.words(context, pixels, view, place, scene.left);
    context.restore();
  }

  #clip(context: Context, camera: Camera, only: readonly number[], units: number[]): void {
    const { x, y, seats, tables } = this.room;
    const { scale } = camera;
    const around = new Set<number>();
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
      const far = reach + 0.7;
      const box: Box = {
        left: middleX - far,
        top: middleY - far,
        right: middleX + far,
        bottom: middleY + far,
      };
      this.#grid.within(box, (near) => around.add(near));
    }
    context.clip();
    for (const unit of around) units.push(unit);
  }

  /** Each seat as a small square of its colour; what is taken is fainter and smaller. */
  #dots(
    context: Context,
    camera: Camera,
    ratio: number,
    scene: PaintState,
    units: readonly number[],
  ): void {
    const { x, y, category, seats } = this.room;
    const { categories } = this.look;
    const pixels = camera.scale * ratio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    const groups = new Map<string, number[]>();
    for (const unit of units) {
      if (unit >= seats) continue;
      const number = category[unit] ?? 0;
      const kind = scene.kinds[unit] ?? FREE;
      const isDimmed = scene.filter >= 0 && scene.filter !== number;
      const colour =
        kind >= SELECTED
          ? this.look.accent
          : kind === FREE
            ? (categories[number]?.dot ?? "")
            : this.look.line;
      const group =
        (kind === FREE ? "1" : kind >= SELECTED ? "2" : "0") + (isDimmed ? "d" : " ") + colour;
      const list = groups.get(group);
      if (list === undefined) groups.set(group, [unit]);
      else list.push(unit);
    }
    for (const name of [...groups.keys()].sort()) {
      const side = Math.max(
        1,
        pixels * (name.startsWith("0") ? 0.42 : name.startsWith("1") ? 0.72 : 1.25),
      );
      context.fillStyle = name.slice(2);
      context.globalAlpha = name[1] === "d" ? DIMMED : 1;
      const isSharp = side >= 3;
      for (const unit of groups.get(name) ?? []) {
        const left = ((x[unit] ?? 0) * camera.scale + camera.x) * ratio - side / 2;
        const top = ((y[unit] ?? 0) * camera.scale + camera.y) * ratio - side / 2;
        if (isSharp)
          context.fillRect(Math.round(left), Math.round(top), Math.round(side), Math.round(side));
        else context.fillRect(left, top, side, side);
      }
    }
    context.globalAlpha = 1;
  }

  #stamps(
    context: Context,
    camera: Camera,
    ratio: number,
    scene: PaintState,
    units: readonly number[],
  ): void {
    const { x, y, turn, category, access, seats, bank, banks } = this.room;
    const pixels = camera.scale * ratio;
    for (const unit of units) {
      if (unit >= seats) continue;
      const number = category[unit] ?? 0;
      const kind = scene.kinds[unit] ?? FREE;
      const sprite = this.#sprites.get(pixels, number, kind, access[unit] ?? ORDINARY);
      const left = ((x[unit] ?? 0) * camera.scale + camera.x) * ratio;
      const top = ((y[unit] ?? 0) * camera.scale + camera.y) * ratio;
      // Signs are read upright.
      const isUpright = access[unit] !== ORDINARY || kind >= BOOKED;
      const angle = isUpright ? 0 : (turn[unit] ?? 0);
      context.globalAlpha =
        scene.filter >= 0 && scene.filter !== number && kind < SELECTED ? DIMMED : 1;
      if (Math.abs(angle) < TURN_LEAST) {
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.drawImage(
          sprite.image,
          Math.round(left - sprite.half),
          Math.round(top - sprite.half),
        );
      } else {
        const cosine = Math.cos(angle);
        const sine = Math.sin(angle);
        // Seats round a table stand close at their fronts.
        const share = banks[bank[unit] ?? 0]?.kind === "table" ? AT_TABLE : 1;
        context.setTransform(
          cosine * share,
          sine * share,
          -sine * share,
          cosine * share,
          left,
          top,
        );
        context.drawImage(sprite.image, -sprite.half, -sprite.half);
      }
    }
    context.globalAlpha = 1;
  }

  #numbers(context: Context, camera: Camera, scene: PaintState, units: readonly number[]): void {
    const { x, y, labels, category, access, seats } = this.room;
    const usual = Math.min(15, camera.scale * 0.36);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `600 ${usual}px ${this.look.font}`;
    for (const unit of units) {
      if (unit >= seats || access[unit] !== ORDINARY || scene.kinds[unit] !== FREE) continue;
      const number = category[unit] ?? 0;
      if (scene.filter >= 0 && scene.filter !== number) continue;
      const label = labels[unit] ?? "";
      context.fillStyle = this.look.categories[number]?.ink ?? this.look.ink;
      const middle = (y[unit] ?? 0) * camera.scale + camera.y - camera.scale * 0.035;
      context.fillText(
        label,
        (x[unit] ?? 0) * camera.scale + camera.x,
        middle,
        camera.scale * 0.62,
      );
    }
  }

  /** Tables that are sold whole: a disc with chairs around it, which says by itself how it stands. */
  #wholeTables(
    context: Context,
    camera: Camera,
    ratio: number,
    scene: PaintState,
    view: Box,
  ): void {
    const { look, room } = this;
    const { scale } = camera;
    for (const table of room.tables) {
      if (
        table.unit < 0 ||
        table.x + table.radius < view.left ||
        table.x - table.radius > view.right
      )
        continue;
      const number = room.category[table.unit] ?? 0;
      const category = look.categories[number];
      const kind = scene.kinds[table.unit] ?? FREE;
      if (category === undefined) continue;
      const isOwn = kind >= SELECTED;
      const fill = isOwn ? look.accent : kind === FREE ? category.fill : look.taken;
      context.setTransform(scale * ratio, 0, 0, scale * ratio, camera.x * ratio, camera.y * ratio);
      context.translate(table.x, table.y);
      context.rotate((table.turn * Math.PI) / 180);
      context.globalAlpha = scene.filter >= 0 && scene.filter !== number && !isOwn ? DIMMED : 1;
      context.fillStyle = fill;
      context.strokeStyle = isOwn ? look.accent : kind === FREE ? category.edge : look.line;
      context.lineWidth = Math.max(0.05, 1 / scale);
      const half = Math.max(0.6, Math.floor((table.seats + 1) / 2) / 2 - 0.08);
      chairs(context, table.seats, table.isRound, table.radius);
      context.beginPath();
      if (table.isRound) context.arc(0, 0, Math.max(0.5, table.radius - 0.5), 0, Math.PI * 2);
      else context.roundRect(-half, -0.5, half * 2, 1, 0.16);
      context.fill();
      context.stroke();
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.#tableSign(
        context,
        table.name,
        kind,
        category.ink,
        table.x * scale + camera.x,
        table.y * scale + camera.y,
        scale,
      );
      context.globalAlpha = 1;
    }
  }

  #tableSign(
    context: Context,
    name: string,
    kind: number,
    ink: string,
    x: number,
    y: number,
    scale: number,
  ): void {
    if (scale < 6) return;
    const sign = kind >= SELECTED ? "✓" : kind === BOOKED ? "×" : name;
    context.font = `650 ${Math.min(16, Math.max(9, scale * 0.5))}px ${this.look.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle =
      kind >= SELECTED ? this.look.accentInk : kind === FREE ? ink : this.look.muted;
    context.fillText(sign, x, y, scale * 1.7);
  }
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
