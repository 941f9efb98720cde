// Rooms by chance, for the tests: small, valid, with everything that the format has.
import fc from "fast-check";
import type { ListedSeat, Pool, Row, SeatsPlan, Section, Shape, Table } from "~/seatmap/plan";
import { edited } from "../document/edit";

const NAMES = ["gold", "silver", "standard"];
const category = fc.option(fc.constantFrom(...NAMES), { nil: undefined });
const place = fc.integer({ min: -40, max: 40 }).map((half) => half / 2);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

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
          ...(first !== 1 && { first }),
          ...(without.length > 0 && { without }),
          ...(step !== 1 && { step }),
          ...(one.aisles.length > 0 && { aisles: unique(one.aisles) }),
          ...(of !== undefined && { accessible: [of] }),
          ...(of !== undefined &&
            others.length > 0 && { companions: others.map((seat) => ({ seat, of })) }),
          ...(one.category && { category: one.category }),
          ...(one.x !== undefined && { x: one.x }),
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
            ...(categories[at] && { category: categories[at] }),
            ...(hasPlace && at === 0 && { accessible: true }),
            ...(hasPlace && at === 1 && { companion_of: labels[0] }),
            ...(gaps[at] && { gap: true }),
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
          ...(one.category && { category: one.category }),
          ...(one.whole ? { whole: true } : { accessible: [1] }),
          ...(one.isLong && { shape: "rectangle" }),
          ...(one.at && { x: one.at[0], y: one.at[1] }),
          ...(one.rotation > 0 && { rotation: one.rotation }),
        },
      ),
    );

const section = (number: number): fc.Arbitrary<Section> =>
  fc
    .record({
      rows: fc
        .integer({ min: 0, max: 4 })
        .chain((count) =>
          fc.tuple(
            ...Array.from({ length: count }, (_, at) =>
              fc.oneof(
                { weight: 3, arbitrary: counted(`${"ABCD"[at]}-`) },
                listed(`${"ABCD"[at]}-`),
              ),
            ),
          ),
        ),
      tables: fc
        .integer({ min: 0, max: 2 })
        .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => table(`T${at}`)))),
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
          ...(one.at && { x: one.at[0], y: one.at[1] }),
          ...(one.rotation > 0 && { rotation: one.rotation }),
          ...(one.curve > 0 && { curve: one.curve }),
        },
      ),
    );

const pool = (number: number): fc.Arbitrary<Pool> =>
  fc.record({ capacity: fc.nat(900), category, hasOutline: fc.boolean() }).map((one) =>
    edited<Pool>(
      { unit: `area ${number}`, capacity: one.capacity },
      {
        ...(one.category && { category: one.category }),
        ...(one.hasOutline && {
          outline: [
            [0, 0],
            [8, 0],
            [8, 5],
            [0, 5],
          ],
        }),
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
    sections: fc
      .integer({ min: 1, max: 3 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => section(at + 1)))),
    pools: fc
      .integer({ min: 0, max: 2 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => pool(at + 1)))),
    hasCategories: fc.boolean(),
    orphans: fc.constantFrom("off" as const, "strict" as const, undefined),
    focus: maybe(fc.tuple(place, place)),
    stage: fc.constantFrom({}, { kind: "screen" as const, y: -3, width: 12 }, null, undefined),
    shapes: fc.array(shape, { maxLength: 2 }),
  })
  .map((one) => {
    const isBare = one.sections.every((of) => !of.rows?.length && !of.tables?.length);
    return edited<SeatsPlan>(
      { type: "seats" },
      {
        ...(one.stage !== undefined && { stage: one.stage }),
        sections: one.sections,
        pools: isBare && one.pools.length === 0 ? [{ unit: "floor", capacity: 5 }] : one.pools,
        ...(one.hasCategories && {
          categories: NAMES.map((name, at) => ({
            name,
            price: at * 500,
            color: "#3d6fb0",
            rank: at + 1,
          })),
        }),
        ...(one.orphans && { orphans: one.orphans }),
        ...(one.focus && { focus: one.focus }),
        shapes: one.shapes,
      },
    );
  });
