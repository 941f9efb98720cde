// Rooms by chance, for the tests: small, valid, with everything that the format has.
import fc from "fast-check";
import type { ListedSeat, Pool, Row, SeatsPlan, Section, Shape, Table } from "~/seatmap/plan";
import { rectangle } from "../document/bounds";
import { edited, orNothing } from "../document/edit";

const NAMES = ["gold", "silver", "standard"];
const CATEGORIES = NAMES.map((name, at) => ({
  name,
  price: at * 500,
  color: "#3d6fb0",
  rank: at + 1,
}));
const TRANSLATIONS = [
  { language: "de", words: { "Section 1": "Block 1", gold: "Gold", Bar: "Theke" } },
  { language: "ar", words: { "area 1": "منطقة", "Nobody has this": "x" } },
];
const category = fc.option(fc.constantFrom(...NAMES), { nil: undefined });
const place = fc.integer({ min: -40, max: 40 }).map((half) => half / 2);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Nothing where the format has the same anyway. */
const usual = (value: number, own: number) => (value === own ? undefined : value);
/** So many of something, each made by its number. */
const some = <T>(min: number, max: number, one: (at: number) => fc.Arbitrary<T>) =>
  fc
    .integer({ min, max })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => one(at))));

const counted = (name: string): fc.Arbitrary<Row> =>
  fc
    .record({
      seats: fc.integer({ min: 1, max: 12 }),
      step: fc.constantFrom(1, 1, 1, 2, -1, -2),
      first: fc.integer({ min: 0, max: 9 }),
      missing: fc.array(fc.nat(11), { maxLength: 2 }),
      aisles: fc.array(fc.nat(11), { maxLength: 2 }),
      special: fc.array(fc.nat(11), { maxLength: 3 }),
      category,
      x: maybe(place),
    })
    .map((one) => {
      const { seats, step } = one;
      const first = step < 0 ? one.first + (seats - 1) * -step : one.first;
      const number = (at: number) => first + (at % seats) * step;
      const unique = (places: readonly number[]) => [...new Set(places.map(number))];
      const without = unique(one.missing).slice(0, seats - 1);
      const special = unique(one.special).filter((seat) => !without.includes(seat));
      const [of, ...others] = special;
      return edited<Row>(
        { name, seats },
        {
          first: usual(first, 1),
          without: orNothing(without),
          step: usual(step, 1),
          aisles: orNothing(unique(one.aisles)),
          accessible: of === undefined ? undefined : [of],
          companions:
            of === undefined ? undefined : orNothing(others.map((seat) => ({ seat, of }))),
          category: one.category,
          x: one.x,
        },
      );
    });

const listed = (name: string): fc.Arbitrary<Row> =>
  fc
    .record({
      labels: fc.uniqueArray(fc.constantFrom("1", "2", "3", "4b", "5", "6", "box", "ö"), {
        minLength: 1,
      }),
      isPlaced: fc.boolean(),
      gaps: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      categories: fc.array(category, { minLength: 8, maxLength: 8 }),
      hasPlace: fc.boolean(),
    })
    .map(({ labels, isPlaced, gaps, categories, hasPlace }) => ({
      name,
      list: labels.map((label, at) =>
        edited<ListedSeat>(
          { label },
          {
            ...(isPlaced && { x: at * 1.5, y: at * 0.25 }),
            category: categories[at],
            accessible: (hasPlace && at === 0) || undefined,
            companion_of: hasPlace && at === 1 ? labels[0] : undefined,
            gap: gaps[at] || undefined,
          },
        ),
      ),
    }));

const table = (name: string): fc.Arbitrary<Table> =>
  fc
    .record({
      seats: fc.integer({ min: 1, max: 9 }),
      category,
      whole: fc.boolean(),
      isLong: fc.boolean(),
      at: maybe(fc.tuple(place, place)),
      rotation: fc.constantFrom(0, 0, 45, 90),
    })
    .map((one) =>
      edited<Table>(
        { name, seats: one.seats },
        {
          category: one.category,
          ...(one.whole ? { whole: true } : { accessible: [1] }),
          shape: one.isLong ? "rectangle" : undefined,
          x: one.at?.[0],
          y: one.at?.[1],
          rotation: usual(one.rotation, 0),
        },
      ),
    );

const section = (number: number): fc.Arbitrary<Section> =>
  fc
    .record({
      rows: some(0, 4, (at) =>
        fc.oneof({ weight: 3, arbitrary: counted(`${"ABCD"[at]}-`) }, listed(`${"ABCD"[at]}-`)),
      ),
      tables: some(0, 2, (at) => table(`T${at}`)),
      category: fc.constantFrom(...NAMES),
      at: maybe(fc.tuple(place, place)),
      rotation: fc.constantFrom(0, 0, 90, 33.5),
      curve: fc.constantFrom(0, 0, 60),
    })
    .map((one) =>
      edited<Section>(
        { name: `Section ${number}`, rows: one.rows },
        {
          category: one.category,
          prefix: `${number}/`,
          tables: one.tables,
          x: one.at?.[0],
          y: one.at?.[1],
          rotation: usual(one.rotation, 0),
          curve: usual(one.curve, 0),
        },
      ),
    );

const pool = (number: number): fc.Arbitrary<Pool> =>
  fc.record({ capacity: fc.nat(900), category, hasOutline: fc.boolean() }).map((one) =>
    edited<Pool>(
      { unit: `area ${number}`, capacity: one.capacity },
      {
        category: one.category,
        outline: one.hasOutline ? rectangle([0, 0], [8, 5]) : undefined,
      },
    ),
  );

const shape: fc.Arbitrary<Shape> = fc.oneof(
  fc.record({
    kind: fc.constant("text" as const),
    text: fc.constantFrom("Bar", "مخرج", "<b>"),
    x: place,
    y: place,
  }),
  fc.record({
    kind: fc.constant("line" as const),
    points: fc.array(fc.tuple(place, place), { minLength: 2, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant("polygon" as const),
    points: fc.array(fc.tuple(place, place), { minLength: 3, maxLength: 5 }),
    fill: fc.constantFrom("#dddddd", null),
  }),
);

/** A room that the engine would take, with a unit at least. */
export const anyPlan: fc.Arbitrary<SeatsPlan> = fc
  .record({
    sections: some(1, 3, (at) => section(at + 1)),
    pools: some(0, 2, (at) => pool(at + 1)),
    hasCategories: fc.boolean(),
    orphans: fc.constantFrom("off" as const, "strict" as const, undefined),
    focus: maybe(fc.tuple(place, place)),
    stage: fc.constantFrom({}, { kind: "screen" as const, y: -3, width: 12 }, null, undefined),
    shapes: fc.array(shape, { maxLength: 2 }),
    translations: maybe(fc.constant(TRANSLATIONS)),
  })
  .map((one) => {
    const isBare = one.sections.every((of) => !of.rows?.length && !of.tables?.length);
    return edited<SeatsPlan>(
      { type: "seats" },
      {
        stage: one.stage,
        sections: one.sections,
        pools: isBare && one.pools.length === 0 ? [{ unit: "floor", capacity: 5 }] : one.pools,
        categories: one.hasCategories ? CATEGORIES : undefined,
        orphans: one.orphans,
        focus: one.focus,
        shapes: one.shapes,
        translations: one.translations,
      },
    );
  });
