// Every command that must leave a valid room valid, on something that chance picks: for the tests.
import fc from "fast-check";
import type { Row, SeatsPlan } from "~/seatmap/plan";
import { addPool, addSection, addShape, addTable, setFocus, setStage } from "../document/additions";
import { rectangle } from "../document/bounds";
import { addCategory, changeCategory, removeCategory, setCategory } from "../document/categories";
import { copy, duplicate, paste, remove } from "../document/copies";
import { withRow } from "../document/edit";
import { withFields } from "../document/parts";
import { namesOf, setWord } from "../document/translations";
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

type Pick = { item: number; row: number; place: number; amount: number; x: number; y: number };
type Act = (plan: SeatsPlan, pick: Pick) => SeatsPlan;

const keyOf = (plan: SeatsPlan, at: number): Key[] => {
  const keys = allKeys(plan);
  return keys.length === 0 ? [] : [keys[at % keys.length] ?? ""];
};
const rowOf = ({ item, row }: Pick): Key => rowKey(item % 3, row);

const listedIn = (plan: SeatsPlan): string => plan.categories?.at(-1)?.name ?? "silver";

const inRow =
  (change: (row: Row, place: number) => Row): Act =>
  (plan, { item, row, place }) =>
    withRow(plan, item % 3, row, (of) => change(of, place));

const naming = (first: number) => ({
  letters: first % 2 === 0,
  first,
  fromBack: true,
  clear: true,
});

const ACTS: Readonly<Record<string, Act>> = {
  move: (plan, { item, x, y }) => move(plan, keyOf(plan, item), x, y),
  moveRow: (plan, pick) => move(plan, [rowOf(pick)], pick.x, pick.y),
  turn: (plan, { item, amount }) =>
    keyOf(plan, item).reduce((made, key) => turn(made, key, amount * 7), plan),
  align: (plan) => align(plan, allKeys(plan), "left"),
  distribute: (plan) => distribute(plan, allKeys(plan), "y"),
  section: (plan, { x, y, amount }) =>
    addSection(plan, WORDS, [x, y], 1 + (amount % 4), 1 + amount).plan,
  table: (plan, { x, y, amount }) => addTable(plan, WORDS, [x, y], amount, "rectangle").plan,
  pool: (plan, { x, y }) => addPool(plan, WORDS, rectangle([x, y], [x + 6, y + 4])).plan,
  shape: (plan, { x, y }) => addShape(plan, { kind: "text", text: "Bar", x, y }).plan,
  stage: (plan, { x, y, amount }) =>
    setStage(plan, WORDS, { x, y, width: amount, height: 2 }, "stage").plan,
  focus: (plan, { x, y }) => setFocus(plan, [x, y]).plan,
  rows: (plan, { item, amount }) => setRows(plan, item % 3, amount),
  seats: (plan, { item, amount }) => setRowSeats(plan, item % 3, amount),
  number: (plan, { item, amount }) => numberSeats(plan, item % 3, amount, 1 + (amount % 3)),
  reverse: (plan, { item }) => reverseSeats(plan, item % 3),
  name: (plan, { item, amount }) => nameRows(plan, item % 3, naming(amount)),
  erase: (plan, { item, row, place }) => eraseSeat(plan, item % 3, row, place),
  aisle: inRow(toggleAisle),
  wheelchair: inRow(toggleAccessible),
  companion: inRow((row, place) => toggleCompanion(row, place) ?? row),
  list: (plan, { item, row }) => listSeats(plan, item % 3, row),
  paint: (plan, { item, row, place }) =>
    setSeatCategory(plan, item % 3, row, place, listedIn(plan)),
  category: (plan, { item }) => setCategory(plan, keyOf(plan, item), listedIn(plan)),
  addCategory: (plan) => addCategory(plan, "New"),
  renameCategory: (plan, { amount }) =>
    changeCategory(plan, amount % 3, { name: `Other ${amount}` }),
  removeCategory: (plan, { amount }) => removeCategory(plan, amount % 3),
  renameSection: (plan, { item, amount }) =>
    withFields(plan, `section:${item % 3}`, { name: `Part ${amount}` }),
  translate: (plan, { item, amount }) => {
    const texts = namesOf(plan).flatMap((names) => names.texts);
    const text = texts[item % Math.max(1, texts.length)];
    const said = amount % 3 === 0 ? "" : ` Wort ${amount}`;
    return text === undefined ? plan : setWord(plan, amount % 2 ? "de" : "pt-BR", text, said);
  },
  duplicate: (plan, { item }) => duplicate(plan, keyOf(plan, item), WORDS).plan,
  duplicateRow: (plan, pick) => duplicate(plan, [rowOf(pick)], WORDS).plan,
  paste: (plan, { item, x }) =>
    paste(plan, copy(plan, allKeys(plan).slice(0, 1 + (item % 2))), WORDS, [x, 1]).plan,
  removeRow: (plan, pick) => remove(plan, [rowOf(pick)]),
  remove: (plan, { item }) => remove(plan, keyOf(plan, item)),
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
export const acts = fc.array(act, { minLength: 1, maxLength: 8 });

export const doAct = (plan: SeatsPlan, [name, picked]: [string, Pick]) =>
  ACTS[name]?.(plan, picked) ?? plan;
