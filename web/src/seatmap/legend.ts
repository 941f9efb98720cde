// The legend: categories with prices, each of which can be highlighted alone, and the key of the
// states.
import { button, make, put } from "./dom";
import type { Look } from "./look";
import type { SeatInfo } from "./seatInfo";
import { ACCESSIBLE, COMPANION, ORDINARY } from "./seats";
import { BLOCKED, BOOKED, drawSeat, FREE, HELD, MINE, SELECTED } from "./sprites";

const SAMPLE_PIXELS = 20;

export function legend(
  info: SeatInfo,
  look: Look,
  filter: number,
  onFilter: (category: number) => void,
): HTMLElement {
  const { room, words } = info;
  const used = new Set<number>(room.category);
  for (const pool of room.pools)
    used.add(room.categories.findIndex(({ name }) => name === pool.category));
  const chips = room.categories.flatMap(({ name }, number) => {
    if (!used.has(number)) return [];
    const swatch = make("span", { class: "swatch" });
    swatch.style.setProperty("--swatch", look.categories[number]?.fill ?? "");
    swatch.style.setProperty("--swatch-edge", look.categories[number]?.edge ?? "");
    const chip = button("chip", "", () => onFilter(filter === number ? -1 : number));
    chip.append(swatch, make("span", { class: "name" }, info.named(name)));
    const price = words.money(info.priceOf(name), info.tariff.currency);
    if (price !== "") chip.append(make("b", {}, price));
    put(chip, "aria-pressed", String(filter === number));
    put(chip, "title", words.text("legend_only", { name: info.named(name) }));
    return [chip];
  });
  return make(
    "div",
    { class: "legend", part: "legend", role: "group", "aria-label": words.text("legend") },
    ...chips,
  );
}

export function key(info: SeatInfo, look: Look): HTMLElement {
  const { room, words, states } = info;
  const has = (access: number) => room.access.includes(access);
  const signs: [string, number, number][] = [
    ["state_free", FREE, ORDINARY],
    ["state_selected", SELECTED, ORDINARY],
    ["state_held", HELD, ORDINARY],
    ["state_booked", BOOKED, ORDINARY],
  ];
  if (room.units.some((_, unit) => states.isMine(unit)))
    signs.splice(2, 0, ["state_mine", MINE, ORDINARY]);
  if (states.mode === "block" || room.units.some((_, unit) => states.state(unit) === "blocked")) {
    signs.push(["state_blocked", BLOCKED, ORDINARY]);
  }
  if (has(ACCESSIBLE)) signs.push(["accessible", FREE, ACCESSIBLE]);
  if (has(COMPANION)) signs.push(["companion", FREE, COMPANION]);
  const items = signs.map(([name, kind, access]) =>
    make("li", {}, sample(look, kind, access), make("span", {}, words.text(name))),
  );
  return make("ul", { class: "key", part: "key", "aria-label": words.text("key") }, ...items);
}

function sample(look: Look, kind: number, access: number): HTMLCanvasElement {
  const ratio = Math.min(3, Math.max(2, globalThis.devicePixelRatio || 1));
  const canvas = make("canvas", { class: "sample", "aria-hidden": "true" });
  canvas.width = (SAMPLE_PIXELS + 4) * ratio;
  canvas.height = (SAMPLE_PIXELS + 4) * ratio;
  const context = canvas.getContext("2d");
  const category = look.categories[0];
  if (context !== null && category !== undefined) {
    context.scale(ratio, ratio);
    context.translate(SAMPLE_PIXELS / 2 + 2, SAMPLE_PIXELS / 2 + 2);
    drawSeat(context, SAMPLE_PIXELS, category, look, kind, access);
  }
  return canvas;
}
