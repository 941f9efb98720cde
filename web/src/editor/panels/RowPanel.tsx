// The inspector of a row: counted with its numbers, or listed seat by seat.
import { useTranslation } from "react-i18next";
import { Button } from "~/design";
import { STANDARD, type ListedSeat, type Row } from "~/seatmap/plan";
import { useEditor } from "../context";
import { edited, orNothing, tidy, withRow, type Changes } from "../document/edit";
import { framesOf } from "../document/frames";
import { isListed, placeOf, renumberFrom, reverse, setSeats, stepOf } from "../document/rows";
import { listSeats, lowestOf, readNumbers } from "../document/sections";
import { usePart, type PanelProps } from "./binding";
import { CategoryChoice, Check, Group, NumberInput, ReadInput, TextInput } from "./fields";

type Props = PanelProps<"row">;

export function RowPanel(props: Props) {
  const { of: key, item, part: row } = props;
  const { t } = useTranslation("editor");
  const of = useEditor().plan.sections?.[item.section];
  const fields = usePart(key, row);
  const frame = of && framesOf(of).find((one) => one.row === item.at);
  const usual = { category: of?.category ?? STANDARD };
  return (
    <>
      <Group>
        <TextInput {...fields.text("name")} most={40} />
        <CategoryChoice {...fields.category("category")} usual={t("category.of_section", usual)} />
      </Group>
      {isListed(row) ? <Listed {...props} /> : <Counted {...props} />}
      {frame && (
        <Group title={t("group.place")}>
          <NumberInput {...fields.number("x", 0)} step={0.5} />
          <NumberInput {...fields.number("y")} value={tidy(frame.y)} step={0.5} />
        </Group>
      )}
    </>
  );
}

function Counted({ of: key, item: { section, at }, part: row }: Props) {
  const { t, change } = useEditor();
  const { put, act, ...fields } = usePart(key, row);
  const step = Math.abs(stepOf(row));
  const become = (done: string, field: string, make: (row: Row) => Row) =>
    act(done, field, (doc) => withRow(doc, section, at, make));
  const count = (field: string, first: number, by: number) =>
    become("numbering", field, (one) => renumberFrom(one, first, by));
  return (
    <Group title={t("group.seats")}>
      <NumberInput
        {...fields.number("seats")}
        onChange={(seats) => become("seats", "seats", (one) => setSeats(one, seats))}
        whole={[1, 10_000]}
      />
      <NumberInput
        label={t("field.first")}
        value={lowestOf(row)}
        onChange={(first) => count("first", first, step)}
        whole={[0, 10_000]}
      />
      <NumberInput
        label={t("field.step")}
        value={step}
        onChange={(by) => count("step", lowestOf(row), by)}
        whole={[1, 100]}
      />
      <Check
        label={t("field.from_other_end")}
        value={stepOf(row) < 0}
        onChange={() => become("numbering", "end", reverse)}
      />
      <SeatLists row={row} put={put} />
      <Button
        kind="quiet"
        size="small"
        onClick={() => change("list", (doc) => listSeats(doc, section, at))}
      >
        {t("row.list")}
      </Button>
    </Group>
  );
}

/** Which seats are missing, where aisles are, and for whom seats are, as lists of numbers. */
function SeatLists({ row, put }: { row: Row; put: (changes: Changes<Row>) => void }) {
  const read = (isGood: (seats: readonly number[]) => boolean) => (text: string) => {
    const seats = readNumbers(text);
    return seats?.every((seat) => placeOf(row, seat) !== null) && isGood(seats) ? seats : null;
  };
  const write = (seats: readonly number[] | undefined) => (seats ?? []).join(", ");
  const isThere = (seat: number) => !row.without?.includes(seat);
  return (
    <>
      <ReadInput
        field="missing"
        value={write(row.without)}
        read={read((seats) => seats.length < (row.seats ?? 0))}
        onChange={(without) => put(withMissing(row, without))}
      />
      <ReadInput
        field="aisles"
        value={write(row.aisles)}
        read={read(() => true)}
        onChange={(aisles) => put({ aisles: orNothing(aisles) })}
      />
      <ReadInput
        field="accessible"
        value={write(row.accessible)}
        read={read((seats) => seats.every(isThere))}
        onChange={(accessible) => put(withAccessible(row, accessible))}
      />
      <ReadInput
        field="companions"
        value={(row.companions ?? []).map(({ seat, of }) => `${seat}→${of}`).join(", ")}
        read={(text) => readCompanions(row, text)}
        onChange={(companions) => put({ companions: orNothing(companions) })}
      />
    </>
  );
}

/** Nothing is said of a seat that is not there. */
function withMissing(row: Row, without: readonly number[]): Changes<Row> {
  const isThere = (seat: number) => !without.includes(seat);
  const companions = row.companions?.filter(({ seat, of }) => isThere(seat) && isThere(of));
  return {
    without: orNothing(without),
    accessible: orNothing(row.accessible?.filter(isThere)),
    companions: orNothing(companions),
  };
}

function withAccessible(row: Row, accessible: readonly number[]): Changes<Row> {
  const isOwn = (seat: number) => accessible.includes(seat);
  const companions = row.companions?.filter(({ seat, of }) => isOwn(of) && !isOwn(seat));
  return { accessible: orNothing(accessible), companions: orNothing(companions) };
}

/** Companions as they are written: 2→1, 11->12, 2:1, 2=1. */
function readCompanions(row: Row, text: string): { seat: number; of: number }[] | null {
  const companions: { seat: number; of: number }[] = [];
  const accessible = new Set(row.accessible);
  for (const part of text.split(/[,;]+/u).filter((one) => one.trim() !== "")) {
    const found = /^\s*(\d{1,7})\s*(?:→|->|:|=)\s*(\d{1,7})\s*$/u.exec(part);
    const [seat, of] = [Number(found?.[1]), Number(found?.[2])];
    const isTaken = accessible.has(seat) || companions.some((one) => one.seat === seat);
    const isThere = placeOf(row, seat) !== null && !row.without?.includes(seat);
    if (!found || !accessible.has(of) || isTaken || !isThere) return null;
    companions.push({ seat, of });
  }
  return companions;
}

function Listed({ of: key, item: { section, at }, part: row }: Props) {
  const { t } = useTranslation("editor");
  const { act } = usePart(key, row);
  const list = row.list ?? [];
  const put = (place: number, changes: Changes<ListedSeat>) =>
    act("seat", `${place} ${Object.keys(changes).join()}`, (doc) =>
      withRow(doc, section, at, (one) => ({
        ...one,
        list:
          one.list?.map((seat, number) => (number === place ? edited(seat, changes) : seat)) ?? [],
      })),
    );
  return (
    <section className="editor-group">
      <h3>{t("row.listed", { count: list.length })}</h3>
      <ul role="list" className="editor-seats">
        {list.map((seat, place) => (
          <li key={place}>
            <Seat seat={seat} put={(changes) => put(place, changes)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Seat({ seat, put }: { seat: ListedSeat; put: (changes: Changes<ListedSeat>) => void }) {
  const { t } = useTranslation("editor");
  return (
    <>
      <TextInput
        label={t("seat.label")}
        value={seat.label}
        most={40}
        onChange={(label) => put({ label })}
      />
      <CategoryChoice
        value={seat.category ?? null}
        usual={t("category.of_row")}
        onChange={(category) => put({ category: category ?? undefined })}
      />
      <Check
        label={t("seat.accessible")}
        value={seat.accessible ?? false}
        onChange={(is) =>
          put(is ? { accessible: true, companion_of: undefined } : { accessible: undefined })
        }
      />
      <Check
        label={t("seat.gap")}
        value={seat.gap ?? false}
        onChange={(is) => put({ gap: is || undefined })}
      />
    </>
  );
}
