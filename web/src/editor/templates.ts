// Rooms of the common kinds to begin with, made to a number of seats. What comes out is a document
// like any other, to be changed by hand.
import type { Row, SeatsPlan, Section } from "~/seatmap/plan";
import { edited } from "./document/edit";
import { rowName } from "./document/rows";

export const TEMPLATES = ["screen", "theatre", "arena", "banquet", "classroom", "empty"] as const;
export type TemplateName = (typeof TEMPLATES)[number];

/** The words on and in a new room, in the language of the operator. */
export type RoomWords = {
  readonly screen: string;
  readonly stage: string;
  readonly board: string;
  readonly front: string;
  readonly stalls: string;
  readonly back: string;
  readonly balcony: string;
  readonly block: string;
  readonly hall: string;
  readonly room: string;
};

export const SEATS_USUAL: Readonly<Record<TemplateName, number>> = {
  screen: 240,
  theatre: 420,
  arena: 6000,
  banquet: 160,
  classroom: 48,
  empty: 1,
};
export const SEATS_MOST = 50_000;

export function makeRoomPlan(name: TemplateName, seats: number, words: RoomWords): SeatsPlan {
  const count = Math.min(SEATS_MOST, Math.max(1, Math.round(seats)));
  return MAKERS[name](count, words);
}

/** Rows of a width that grows from row to row, and the last what is left. */
function sizesOf(seats: number, width: number, growth = 0): number[] {
  const sizes: number[] = [];
  for (let left = seats; left > 0;) {
    const size = Math.min(left, width + Math.floor(growth * sizes.length));
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

/** The first row with places for wheelchairs at its ends, each with a companion beside it. */
function withWheelchairs(rows: readonly Row[], seats: number): Row[] {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  const size = first.seats ?? 0;
  const count = Math.min(1 + Math.floor(seats / 100), Math.floor(size / 4));
  if (count < 1) return [...rows];
  const accessible = Array.from({ length: count }, (_, at) => 1 + at * 2);
  const companions = accessible.map((of) => ({ seat: of + 1, of }));
  return [edited(first, { accessible, companions, aisles: undefined }), ...others];
}

const rowsOf = (sizes: readonly number[], aisles: (size: number) => number[]): Row[] =>
  sizes.map((size, at) => {
    const after = aisles(size);
    const row: Row = { name: rowName(at), seats: size };
    return after.length > 0 ? { ...row, aisles: after } : row;
  });

function screen(seats: number, words: RoomWords): SeatsPlan {
  const width = Math.min(40, Math.max(6, Math.round(Math.sqrt(seats * 1.6))));
  const rows = withWheelchairs(
    rowsOf(sizesOf(seats, width), (size) =>
      size >= 16 ? [Math.floor(size / 4), size - Math.floor(size / 4)] : [],
    ),
    seats,
  );
  const front = Math.max(1, Math.floor(rows.length / 4));
  const back = Math.max(front, rows.length - 2);
  const sections: Section[] = [
    { name: words.front, rows: rows.slice(0, front), category: "front" },
    { name: words.stalls, rows: rows.slice(front, back), category: "standard" },
    { name: words.back, rows: rows.slice(back), category: "premium" },
  ];
  return {
    type: "seats",
    stage: { kind: "screen", width, label: words.screen },
    categories: [
      { name: "front", color: "#5f8fc4", rank: 3 },
      { name: "standard", color: "#3d6fb0", rank: 2 },
      { name: "premium", color: "#c9a227" },
    ],
    sections: sections.filter((section) => section.rows?.length),
  };
}

function theatre(seats: number, words: RoomWords): SeatsPlan {
  const below = seats < 60 ? seats : Math.floor((seats * 2) / 3);
  const width = Math.max(8, Math.round(Math.sqrt(below) * 0.8));
  const bent = (count: number, wide: number) =>
    rowsOf(sizesOf(count, wide, 1), (size) => (size >= 12 ? [Math.floor(size / 2)] : []));
  const stalls = withWheelchairs(bent(below, width), seats);
  const sections: Section[] = [{ name: words.stalls, rows: stalls, category: "stalls", curve: 50 }];
  if (seats > below) {
    const rows = bent(seats - below, width + Math.floor(stalls.length / 2));
    sections.push({ name: words.balcony, rows, category: "balcony", prefix: "B-", curve: 50 });
  }
  return {
    type: "seats",
    stage: { width: Math.round(width * 0.8), height: 4, label: words.stage },
    categories: [
      { name: "stalls", color: "#a83b3b" },
      { name: "balcony", color: "#c27a45", rank: 2 },
    ],
    sections,
  };
}

const TIERS = [
  { category: "lower", blocks: 16, share: 0.4 },
  { category: "middle", blocks: 24, share: 0.6 },
  { category: "upper", blocks: 32, share: 1 },
];
const BETWEEN_TIERS = 4;

function arena(seats: number, words: RoomWords): SeatsPlan {
  const inner = Math.max(16, Math.sqrt(seats) / 5);
  const sections: Section[] = [];
  let [radius, left] = [inner, seats];
  TIERS.forEach(({ category, blocks, share }, tier) => {
    const own = Math.ceil(left * share);
    left -= own;
    let deepest = 0;
    for (let block = 0; block < blocks; block += 1) {
      const size = Math.floor(own / blocks) + (block < own % blocks ? 1 : 0);
      if (size === 0) break;
      const arc = (2 * Math.PI) / blocks;
      const width = Math.max(4, Math.floor(arc * radius) - 1);
      const rows = rowsOf(sizesOf(size, width, arc), () => []);
      deepest = Math.max(deepest, rows.length);
      const name = `${tier + 1}${String(block + 1).padStart(2, "0")}`;
      const turn = (block * 2 * Math.PI) / blocks;
      const rotation = Math.round((block * 360_000) / blocks) / 1000;
      sections.push({
        name: `${words.block} ${name}`,
        rows: tier === 0 ? withWheelchairs(rows, 0) : rows,
        category,
        prefix: `${name}-`,
        x: Math.round(-radius * Math.sin(turn) * 1000) / 1000 || 0,
        y: Math.round(radius * Math.cos(turn) * 1000) / 1000 || 0,
        ...(rotation > 0 && { rotation }),
      });
    }
    radius += deepest + BETWEEN_TIERS;
  });
  return {
    type: "seats",
    stage: { width: Math.round(inner), height: Math.round(inner / 2), label: words.stage },
    categories: [
      { name: "lower", color: "#2f7d4f" },
      { name: "middle", color: "#5b9b67", rank: 2 },
      { name: "upper", color: "#8fb08c", rank: 3 },
    ],
    sections,
  };
}

function banquet(seats: number, words: RoomWords): SeatsPlan {
  const tables = sizesOf(seats, 8).map((size, at) => ({ name: `T${at + 1}`, seats: size }));
  return {
    type: "seats",
    stage: { width: 8, height: 3, label: words.stage },
    categories: [{ name: "table", color: "#8d6cab" }],
    sections: [{ name: words.hall, category: "table", tables }],
  };
}

function classroom(seats: number, words: RoomWords): SeatsPlan {
  const rows = rowsOf(sizesOf(seats, seats > 24 ? 12 : 6), (size) =>
    [4, 8].filter((at) => at < size),
  );
  return {
    type: "seats",
    stage: { kind: "screen", width: 6, label: words.board },
    categories: [{ name: "seat", color: "#4a7f7f" }],
    sections: [{ name: words.room, rows, category: "seat" }],
  };
}

const MAKERS: Readonly<Record<TemplateName, (seats: number, words: RoomWords) => SeatsPlan>> = {
  screen,
  theatre,
  arena,
  banquet,
  classroom,
  empty: () => ({ type: "seats" }),
};
