// Every command that must leave a valid room valid, on something that chance picks: for the tests.
import fc from "fast-check";
import type { SeatsPlan } from "~/seatmap/plan";
import { addPool, addSection, addShape, addTable, setFocus, setStage } from "../document/additions";
import { rectangle } from "../document/bounds";
import { addCategory, changeCategory, removeCategory, setCategory } from "../document/categories";
import { copy, duplicate, paste, remove } from "../document/copies";
import { withRow } from "../document/edit";
import { allKeys, rowKey, type Key } from "../document/items";
import { align, distribute, move, turn } from "../document/moves";
import { toggleAccessible, toggleAisle, toggleCompanion } from "../document/rows";
import {
  eraseSeat,
  listSeats,
  nameRows,
  numberSeats,
  reverseSeats,
  setRows,
  setRowSeats,
  setSeatCategory,
} from "../document/sections";

const WORDS = {
  section: "Section",
  tables: "Tables",
  area: "Standing",
  stage: "Stage",
  screen: "Screen",
  text: "Text",
};

type Act = (plan: SeatsPlan) => SeatsPlan;
type Pick = { item: number; row: number; place: number; amount: number; x: number; y: number };

const keyOf = (plan: SeatsPlan, at: number): Key[] => {
  const keys = allKeys(plan);
  return keys.length === 0 ? [] : [keys[at % keys.length] ?? ""];
};

/** A category that may be used. */
const listedIn = (plan: SeatsPlan): string => plan.categories?.at(-1)?.name ?? "silver";

/** Every command that must leave a valid room valid, on something that chance picks. */
const ACTS: Readonly<Record<string, (pick: Pick) => Act>> = {
  move:
    ({ item, x, y }) =>
    (plan) =>
      move(plan, keyOf(plan, item), x, y),
  moveRow:
    ({ item, row, x, y }) =>
    (plan) =>
      move(plan, [rowKey(item % 3, row)], x, y),
  turn:
    ({ item, amount }) =>
    (plan) =>
      keyOf(plan, item).reduce((made, key) => turn(made, key, amount * 7), plan),
  align: () => (plan) => align(plan, allKeys(plan), "left"),
  distribute: () => (plan) => distribute(plan, allKeys(plan), "y"),
  section:
    ({ x, y, amount }) =>
    (plan) =>
      addSection(plan, WORDS, [x, y], 1 + (amount % 4), 1 + amount).plan,
  table:
    ({ x, y, amount }) =>
    (plan) =>
      addTable(plan, WORDS, [x, y], amount, "rectangle").plan,
  pool:
    ({ x, y }) =>
    (plan) =>
      addPool(plan, WORDS, rectangle([x, y], [x + 6, y + 4])).plan,
  shape:
    ({ x, y }) =>
    (plan) =>
      addShape(plan, { kind: "text", text: "Bar", x, y }).plan,
  stage:
    ({ x, y, amount }) =>
    (plan) =>
      setStage(plan, WORDS, { x, y, width: amount, height: 2 }, "stage").plan,
  focus:
    ({ x, y }) =>
    (plan) =>
      setFocus(plan, [x, y]).plan,
  rows:
    ({ item, amount }) =>
    (plan) =>
      setRows(plan, item % 3, amount),
  seats:
    ({ item, amount }) =>
    (plan) =>
      setRowSeats(plan, item % 3, amount),
  number:
    ({ item, amount }) =>
    (plan) =>
      numberSeats(plan, item % 3, amount, 1 + (amount % 3)),
  reverse:
    ({ item }) =>
    (plan) =>
      reverseSeats(plan, item % 3),
  name:
    ({ item, amount }) =>
    (plan) =>
      nameRows(plan, item % 3, {
        letters: amount % 2 === 0,
        first: amount,
        fromBack: true,
        clear: true,
      }),
  erase:
    ({ item, row, place }) =>
    (plan) =>
      eraseSeat(plan, item % 3, row, place),
  aisle:
    ({ item, row, place }) =>
    (plan) =>
      withRow(plan, item % 3, row, (of) => toggleAisle(of, place)),
  wheelchair:
    ({ item, row, place }) =>
    (plan) =>
      withRow(plan, item % 3, row, (of) => toggleAccessible(of, place)),
  companion:
    ({ item, row, place }) =>
    (plan) =>
      withRow(plan, item % 3, row, (of) => toggleCompanion(of, place) ?? of),
  list:
    ({ item, row }) =>
    (plan) =>
      listSeats(plan, item % 3, row),
  paint:
    ({ item, row, place }) =>
    (plan) =>
      setSeatCategory(plan, item % 3, row, place, listedIn(plan)),
  category:
    ({ item }) =>
    (plan) =>
      setCategory(plan, keyOf(plan, item), listedIn(plan)),
  addCategory: () => (plan) => addCategory(plan, "New"),
  renameCategory:
    ({ amount }) =>
    (plan) =>
      changeCategory(plan, amount % 3, { name: `Other ${amount}` }),
  removeCategory:
    ({ amount }) =>
    (plan) =>
      removeCategory(plan, amount % 3),
  duplicate:
    ({ item }) =>
    (plan) =>
      duplicate(plan, keyOf(plan, item), WORDS).plan,
  duplicateRow:
    ({ item, row }) =>
    (plan) =>
      duplicate(plan, [rowKey(item % 3, row)], WORDS).plan,
  paste:
    ({ item, x }) =>
    (plan) =>
      paste(plan, copy(plan, allKeys(plan).slice(0, 1 + (item % 2))), WORDS, [x, 1]).plan,
  removeRow:
    ({ item, row }) =>
    (plan) =>
      remove(plan, [rowKey(item % 3, row)]),
  remove:
    ({ item }) =>
    (plan) =>
      remove(plan, keyOf(plan, item)),
};

const pick = fc.record({
  item: fc.nat(8),
  row: fc.nat(3),
  place: fc.nat(11),
  amount: fc.integer({ min: 1, max: 14 }),
  x: fc.integer({ min: -20, max: 20 }).map((half) => half / 2),
  y: fc.integer({ min: -20, max: 20 }).map((half) => half / 2),
});
const act = fc.tuple(fc.constantFrom(...Object.keys(ACTS)), pick);
/** Some commands, one after the other. */
export const acts = fc.array(act, { minLength: 1, maxLength: 8 });

export const doAct = (plan: SeatsPlan, [name, picked]: [string, Pick]) =>
  ACTS[name]?.(picked)(plan) ?? plan;
