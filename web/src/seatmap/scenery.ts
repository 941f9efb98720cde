// The scenery: stage or screen, section blocks, tables, standing areas, shapes, and names of rows
// and sections.
import type { Look } from "./look";
import { outlineOf } from "./outline";
import { STAGE_DEFAULTS, type Point } from "./plan";
import { around, middle, type Box } from "./box";
import type { Room, RoomBank, RoomPool, RoomSection } from "./room";
import { named, type Vocabulary } from "./vocabulary";

type Context = CanvasRenderingContext2D;

const ROW_NAMES_FROM_PIXELS = 11;
const SECTION_NAMES_TO_PIXELS = 15;
const TABLE_NAMES_FROM_PIXELS = 7;
/** Rows with a smaller slope count as straight. */
const STRAIGHT = 0.06;
const EDGE_PIXELS = 40;
const SECTIONS_NAMED_TWICE_MAX = 8;

export const meets = (one: Box, other: Box): boolean =>
  one.left <= other.right &&
  one.right >= other.left &&
  one.top <= other.bottom &&
  one.bottom >= other.top;

/** What text is drawn with: `place` turns the room's coordinates into the screen's. */
export type TextPass = {
  readonly context: Context;
  readonly pixels: number;
  readonly view: Box;
  readonly place: (x: number, y: number) => Point;
};

/** The scenery of one room; outlines are computed once. */
export class Scenery {
  readonly #room: Room;
  readonly #look: Look;
  readonly #outlines: readonly (Path2D | null)[];
  #names: readonly string[] = [];
  #namesIn: Vocabulary | null = null;

  constructor(room: Room, look: Look) {
    this.#room = room;
    this.#look = look;
    this.#outlines = room.sections.map((section) => outlineOf(room, section));
  }

  /** Everything under the seats; the context has the room's coordinates. */
  under(context: Context, pixels: number, view: Box, filter: number): void {
    const { plan, sections, pools, tables } = this.#room;
    for (const shape of plan.shapes ?? []) {
      if (shape.kind !== "text") this.#shape(context, shape.points, shape, pixels);
    }
    if (plan.stage) this.#stage(context, pixels);
    context.lineJoin = "round";
    sections.forEach((section, number) => {
      const path = this.#outlines[number];
      if (!path || !meets(section.box, view)) return;
      const bank = this.#room.banks[section.banks[0] ?? -1];
      const category = this.#room.category[bank?.start ?? 0] ?? 0;
      context.globalAlpha = filter >= 0 && filter !== category ? 0.35 : 1;
      const soft = this.#look.categories[category]?.soft ?? this.#look.line;
      context.fillStyle = soft;
      context.fill(path);
      context.globalAlpha = 1;
    });
    for (const pool of pools) if (meets(pool.box, view)) this.#pool(context, pool, pixels);
    for (const table of tables) {
      if (table.unit >= 0) continue;
      const reach = Math.max(0.45, table.radius - 0.62);
      context.save();
      context.translate(table.x, table.y);
      context.rotate((table.turn * Math.PI) / 180);
      context.beginPath();
      if (table.isRound) context.arc(0, 0, reach, 0, Math.PI * 2);
      else {
        const half = Math.max(0.6, Math.floor((table.seats + 1) / 2) / 2 - 0.08);
        context.roundRect(-half, -0.45, half * 2, 0.9, 0.16);
      }
      context.fillStyle = this.#look.taken;
      context.fill();
      context.lineWidth = Math.max(0.05, 1 / pixels);
      context.strokeStyle = this.#look.line;
      context.stroke();
      context.restore();
    }
  }

  /** All text; the context has the screen's coordinates. */
  text(pass: TextPass, left: (pool: RoomPool) => string): void {
    const { context, pixels, view, place } = pass;
    const { plan, sections, banks, tables, pools } = this.#room;
    const { ink, muted } = this.#look;
    context.textAlign = "center";
    context.textBaseline = "middle";
    this.#stageLabel(pass);
    for (const shape of plan.shapes ?? []) {
      if (shape.kind !== "text") continue;
      const size = (shape.size ?? 1) * pixels;
      if (size < 7) continue;
      context.save();
      context.translate(...place(shape.x, shape.y));
      context.rotate(((shape.rotation ?? 0) * Math.PI) / 180);
      this.#write(context, this.#named(shape.text), [0, 0], size, muted, 500);
      context.restore();
    }
    if (pixels >= ROW_NAMES_FROM_PIXELS) {
      const [edge] = place(view.left + 1.5, 0);
      for (const bank of banks) {
        if (bank.kind !== "row") continue;
        this.#rowName(pass, bank);
        this.#edgeName(pass, bank, edge);
      }
    } else if (sections.length > 1 && pixels < SECTION_NAMES_TO_PIXELS) {
      const names = this.#sectionNames();
      sections.forEach((section, number) => {
        if (meets(section.box, view)) this.#sectionName(pass, section, names[number] ?? "");
      });
    }
    if (pixels >= TABLE_NAMES_FROM_PIXELS) {
      for (const table of tables) {
        if (table.unit >= 0) continue;
        const size = Math.min(15, Math.max(8, pixels * 0.5));
        const reach = (table.isRound ? Math.max(0.45, table.radius - 0.62) : 1) * pixels * 1.8;
        this.#fit(
          context,
          this.#named(table.name),
          place(table.x, table.y),
          size,
          reach,
          muted,
          600,
        );
      }
    }
    for (const pool of pools) {
      if (!meets(pool.box, view)) continue;
      const [x, y] = place(pool.x, pool.y);
      const width = (pool.box.right - pool.box.left) * pixels * 0.86;
      const size = Math.min(17, Math.max(10, pixels * 0.9));
      if (width < 34) continue;
      this.#fit(context, this.#named(pool.unit), [x, y - size * 0.6], size, width, ink, 650);
      this.#fit(context, left(pool), [x, y + size * 0.7], size * 0.8, width, muted, 500);
    }
  }

  #stage(context: Context, pixels: number): void {
    const stage = { ...STAGE_DEFAULTS, ...this.#room.plan.stage };
    const left = stage.x - stage.width / 2;
    const right = stage.x + stage.width / 2;
    const look = this.#look;
    if (stage.kind === "screen") {
      const y = stage.y + stage.height / 2;
      const rise = Math.min(1.4, stage.width * 0.045);
      const depth = Math.min(3.4, stage.width * 0.3);
      const light = context.createLinearGradient(0, y - rise, 0, y + depth);
      light.addColorStop(0, look.glow);
      light.addColorStop(1, look.fade);
      context.fillStyle = light;
      context.beginPath();
      context.moveTo(left, y);
      context.quadraticCurveTo(stage.x, y - rise * 2, right, y);
      context.lineTo(right + depth * 0.12, y + depth);
      context.lineTo(left - depth * 0.12, y + depth);
      context.fill();
      context.lineCap = "round";
      context.lineWidth = Math.max(0.22, 3.5 / pixels);
      context.strokeStyle = look.isDark ? look.ink : look.accent;
      context.beginPath();
      context.moveTo(left, y);
      context.quadraticCurveTo(stage.x, y - rise * 2, right, y);
      context.stroke();
      return;
    }
    const top = stage.y - stage.height / 2;
    const front = Math.min(stage.height * 0.55, stage.width * 0.16);
    context.beginPath();
    context.moveTo(left, top);
    context.lineTo(right, top);
    context.lineTo(right, top + stage.height - front);
    context.quadraticCurveTo(stage.x, top + stage.height + front, left, top + stage.height - front);
    context.closePath();
    const boards = context.createLinearGradient(0, top, 0, top + stage.height);
    boards.addColorStop(0, look.taken);
    boards.addColorStop(1, look.accentSoft);
    context.fillStyle = boards;
    context.fill();
    context.lineJoin = "round";
    context.lineWidth = Math.max(0.06, 1.25 / pixels);
    context.strokeStyle = look.line;
    context.stroke();
  }

  #stageLabel({ context, pixels, place }: TextPass): void {
    const { stage } = this.#room.plan;
    if (!stage?.label) return;
    const { kind, x, y, width, height } = { ...STAGE_DEFAULTS, ...stage };
    const size = Math.min(15, Math.max(9, pixels * 0.62));
    const [across, top] = place(x, y + (kind === "screen" ? height / 2 : -height * 0.06));
    const below = kind === "screen" ? Math.max(size, pixels * 0.55) : 0;
    const label = this.#named(stage.label).toLocaleUpperCase();
    context.letterSpacing = `${(size * 0.16).toFixed(1)}px`;
    this.#fit(context, label, [across, top + below], size, width * pixels, this.#look.muted, 600);
    context.letterSpacing = "0px";
  }

  #named(text: string): string {
    return named(this.#room.vocabulary, text);
  }

  /** Short names of the sections, made anew when the language of the map is another. */
  #sectionNames(): readonly string[] {
    const { sections, vocabulary } = this.#room;
    if (this.#namesIn !== vocabulary) {
      this.#names = shortNames(sections.map((section) => this.#named(section.name)));
      this.#namesIn = vocabulary;
    }
    return this.#names;
  }

  #pool(context: Context, pool: RoomPool, pixels: number): void {
    const number = this.#room.categories.findIndex(({ name }) => name === pool.category);
    const category = this.#look.categories[number];
    tracePath(context, pool.outline);
    context.fillStyle = category?.soft ?? this.#look.taken;
    context.fill();
    context.strokeStyle = category?.edge ?? this.#look.line;
    context.lineJoin = "round";
    context.lineWidth = Math.max(0.08, 1.4 / pixels);
    context.stroke();
  }

  #shape(
    context: Context,
    points: readonly Point[],
    shape: { kind: "polygon" | "line"; fill?: string | null; stroke?: string | null },
    pixels: number,
  ): void {
    if (points.length < 2) return;
    tracePath(context, points, shape.kind === "polygon");
    // Their colours are made for a light theme; in a dark one they are faint.
    context.globalAlpha = this.#look.isDark ? 0.35 : 1;
    if (shape.fill) {
      context.fillStyle = shape.fill;
      context.fill();
    }
    if (shape.stroke || shape.kind === "line") {
      context.strokeStyle = shape.stroke ?? this.#look.line;
      context.lineWidth = Math.max(0.1, 1.2 / pixels);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  #rowName({ context, pixels, view, place }: TextPass, { start, stop, name }: RoomBank): void {
    const { x, y, turn, sections } = this.#room;
    const size = Math.min(14, Math.max(8, pixels * 0.42));
    const isSingle = stop - start === 1;
    // Where blocks are close together, names at both ends would overlap.
    const isOnce = isSingle || sections.length > SECTIONS_NAMED_TWICE_MAX;
    for (const [seat, inner] of [
      [start, start + 1],
      [stop - 1, stop - 2],
    ] as const) {
      const [seatX, seatY] = [x[seat] ?? 0, y[seat] ?? 0];
      const angle = turn[seat] ?? 0;
      const [outX, outY] = [seatX - (x[inner] ?? 0), seatY - (y[inner] ?? 0)];
      const side = isSingle ? -1 : Math.sign(outX * Math.cos(angle) + outY * Math.sin(angle));
      const labelX = seatX + Math.cos(angle) * side * 1.05;
      const labelY = seatY + Math.sin(angle) * side * 1.05;
      if (meets(around(labelX, labelY, 0), view)) {
        const at = place(labelX, labelY);
        this.#fit(context, name, at, size, pixels * 1.05, this.#look.muted, 600);
      }
      if (isOnce) return;
    }
  }

  /** The name of a straight row at the edge of what is visible, where its beginning is not. */
  #edgeName({ context, pixels, place }: TextPass, bank: RoomBank, edge: number): void {
    const { x, y, turn } = this.#room;
    const [first, last] = [bank.start, bank.stop - 1];
    const rise = Math.abs((y[first] ?? 0) - (y[last] ?? 0));
    if (Math.abs(Math.sin(turn[first] ?? 0)) > STRAIGHT || rise > STRAIGHT) return;
    const ends = [place(x[first] ?? 0, y[first] ?? 0), place(x[last] ?? 0, y[last] ?? 0)] as const;
    const [from, to] = ends[0][0] < ends[1][0] ? ends : [ends[1], ends[0]];
    if (from[0] - pixels * 0.7 > edge || to[0] < edge + pixels * 2) return;
    const size = Math.min(13, Math.max(9, pixels * 0.36));
    const strip = context.createLinearGradient(edge, 0, edge + EDGE_PIXELS, 0);
    strip.addColorStop(0.55, this.#look.paper);
    strip.addColorStop(1, this.#look.paperGone);
    context.fillStyle = strip;
    context.fillRect(edge, from[1] - pixels / 2, EDGE_PIXELS, pixels + 0.5);
    this.#fit(context, bank.name, [edge + 13, from[1]], size, 22, this.#look.muted, 650);
  }

  #sectionName({ context, pixels, place }: TextPass, section: RoomSection, name: string): void {
    const { left, right, top, bottom } = section.box;
    const width = (right - left) * pixels;
    // All names have one size; those that do not fit are left out.
    const size = Math.min(14, Math.max(9, pixels * 3));
    if (width < 22 || (bottom - top) * pixels < 11) return;
    const [x, y] = place(...middle(section.box));
    context.font = `700 ${size}px ${this.#look.font}`;
    if (context.measureText(name).width > width * 1.05) return;
    context.lineJoin = "round";
    context.lineWidth = size * 0.42;
    context.strokeStyle = this.#look.paper;
    context.globalAlpha = 0.85;
    context.strokeText(name, x, y);
    context.globalAlpha = 1;
    context.fillStyle = this.#look.ink;
    context.fillText(name, x, y);
  }

  /** Writes text smaller where it is wider than this, or not at all where that could not be read. */
  #fit(
    context: Context,
    text: string,
    at: Point,
    size: number,
    width: number,
    colour: string,
    weight: number,
  ): void {
    context.font = `${weight} ${size}px ${this.#look.font}`;
    const needed = context.measureText(text).width;
    const fitted = needed > width ? (size * width) / needed : size;
    if (fitted >= 6.5) this.#write(context, text, at, fitted, colour, weight);
  }

  #write(
    context: Context,
    text: string,
    at: Point,
    size: number,
    colour: string,
    weight: number,
  ): void {
    context.font = `${weight} ${size}px ${this.#look.font}`;
    context.fillStyle = colour;
    context.fillText(text, ...at);
  }
}

function tracePath(context: Context, points: readonly Point[], isClosed = true): void {
  context.beginPath();
  points.forEach(([x, y], number) => (number === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  if (isClosed) context.closePath();
}

/** Names without a common first word: of Block 101 and Block 102 the numbers. */
export function shortNames(names: readonly string[]): string[] {
  const head = names[0]?.split(" ")[0] ?? "";
  const isShared =
    names.length > 1 &&
    names.every((name) => name.startsWith(`${head} `) && name.length > head.length + 1);
  return isShared ? names.map((name) => name.slice(head.length + 1)) : [...names];
}
