// The inspector of a row: counted with its numbers, or listed seat by seat.
import { useTranslation } from "react-i18next";
import { Button } from "~/design/Button";
import type { ListedSeat, Row } from "~/seatmap/plan";
import { STANDARD } from "~/seatmap/plan";
import { useEditor } from "../context";
import { edited, orNothing, tidy, withRow } from "../document/edit";
import { framesOf } from "../document/frames";
import { rowKey } from "../document/items";
import { isListed, placeOf, renumber, reverse, setSeats, stepOf } from "../document/rows";
import { listSeats, lowestOf, readNumbers } from "../document/sections";
import { CategoryChoice, Check, Group, NumberInput, ReadInput, TextInput } from "./fields";

export function RowPanel({ section, at }: { section: number; at: number }) {
  const { t } = useTranslation("editor");
  const { plan, change } = useEditor();
  const of = plan.sections?.[section];
  const row = of?.rows?.[at];
  if (!of || !row) return null;
  const key = rowKey(section, at);
  const put = (label: string, field: string, make: (row: Row) => Row | null) =>
    change(label, (doc) => withRow(doc, section, at, make), `${key} ${field}`);
  const frame = framesOf(of).frames.find((one) => one.row === at);
  return (
    <>
      <Group>
        <TextInput
          isFirst
          label={t("field.name")}
          most={40}
          value={row.name}
          onChange={(name) => put("rename", "name", (one) => ({ ...one, name }))}
        />
        <CategoryChoice
          value={row.category ?? null}
          usual={t("category.of_section", { category: of.category ?? STANDARD })}
          onChange={(category) =>
            put("category", "category", (one) => edited(one, { category: category ?? undefined }))
          }
        />
      </Group>
      {isListed(row) ? (
        <Listed section={section} at={at} row={row} />
      ) : (
        <Counted section={section} at={at} row={row} />
      )}
      {frame && (
        <Group title={t("group.place")}>
          <NumberInput
            label="X"
            value={row.x ?? 0}
            step={0.5}
            onChange={(x) => put("move", "x", (one) => edited(one, { x: tidy(x) || undefined }))}
          />
          <NumberInput
            label="Y"
            value={Math.round(frame.y * 1000) / 1000}
            step={0.5}
            onChange={(y) => put("move", "y", (one) => edited(one, { y: tidy(y) }))}
          />
        </Group>
      )}
    </>
  );
}

function Counted({ section, at, row }: { section: number; at: number; row: Row }) {
  const { t } = useTranslation("editor");
  const { change } = useEditor();
  const key = rowKey(section, at);
  const put = (label: string, field: string, make: (row: Row) => Row | null) =>
    change(label, (doc) => withRow(doc, section, at, make), `${key} ${field}`);
  const step = Math.abs(stepOf(row));
  const numbered = (first: number, by: number) => (one: Row) =>
    stepOf(one) < 0
      ? renumber(one, first + ((one.seats ?? 1) - 1) * by, -by)
      : renumber(one, first, by);
  const isNumber = (numbers: readonly number[] | null) =>
    numbers?.every((number) => placeOf(row, number) !== null) ? numbers : null;
  const readSeats = (text: string) => isNumber(readNumbers(text));
  const write = (numbers: readonly number[] | undefined) => (numbers ?? []).join(", ");
  return (
    <Group title={t("group.seats")}>
      <NumberInput
        label={t("field.seats")}
        value={row.seats ?? 0}
        isWhole
        min={1}
        max={10_000}
        onChange={(seats) => put("seats", "seats", (one) => setSeats(one, seats))}
      />
      <NumberInput
        label={t("field.first")}
        value={lowestOf(row)}
        isWhole
        min={0}
        max={10_000}
        onChange={(first) => put("numbering", "first", numbered(first, step))}
      />
      <NumberInput
        label={t("field.step")}
        value={step}
        isWhole
        min={1}
        max={100}
        onChange={(by) => put("numbering", "step", numbered(lowestOf(row), by))}
      />
      <Check
        label={t("field.from_other_end")}
        value={stepOf(row) < 0}
        onChange={() => put("numbering", "end", reverse)}
      />
      <ReadInput
        label={t("field.missing")}
        hint={t("field.missing_hint")}
        value={write(row.without)}
        read={(text) => {
          const numbers = readSeats(text);
          return numbers && numbers.length < (row.seats ?? 0) ? numbers : null;
        }}
        onChange={(without) => put("missing", "missing", (one) => withMissing(one, without))}
      />
      <ReadInput
        label={t("field.aisles")}
        hint={t("field.aisles_hint")}
        value={write(row.aisles)}
        read={readSeats}
        onChange={(aisles) =>
          put("aisle", "aisles", (one) => edited(one, { aisles: orNothing(aisles) }))
        }
      />
      <ReadInput
        label={t("field.accessible")}
        hint={t("field.accessible_hint")}
        value={write(row.accessible)}
        read={(text) => {
          const numbers = readSeats(text);
          return numbers?.some((number) => row.without?.includes(number)) ? null : numbers;
        }}
        onChange={(accessible) =>
          put("accessible", "accessible", (one) => withAccessible(one, accessible))
        }
      />
      <ReadInput
        label={t("field.companions")}
        hint={t("field.companions_hint")}
        value={(row.companions ?? []).map(({ seat, of }) => `${seat}→${of}`).join(", ")}
        read={(text) => readCompanions(row, text)}
        onChange={(companions) =>
          put("companion", "companions", (one) =>
            edited(one, { companions: orNothing(companions) }),
          )
        }
      />
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

/** Nothing is said of a seat that is not there. */
function withMissing(row: Row, without: readonly number[]): Row {
  const gone = new Set(without);
  const accessible = row.accessible?.filter((number) => !gone.has(number));
  const companions = row.companions?.filter((one) => !gone.has(one.seat) && !gone.has(one.of));
  return edited(row, {
    without: orNothing(without),
    accessible: accessible && orNothing(accessible),
    companions: companions && orNothing(companions),
  });
}

function withAccessible(row: Row, accessible: readonly number[]): Row {
  const own = new Set(accessible);
  const companions = row.companions?.filter((one) => own.has(one.of) && !own.has(one.seat));
  return edited(row, {
    accessible: orNothing(accessible),
    companions: companions && orNothing(companions),
  });
}

/** Companions as they are written: 2→1, 11→12, also with a hyphen and a bracket or "for". */
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

function Listed({ section, at, row }: { section: number; at: number; row: Row }) {
  const { t } = useTranslation("editor");
  const { change } = useEditor();
  const list = row.list ?? [];
  const put = (place: number, field: string, make: (seat: ListedSeat) => ListedSeat) =>
    change(
      "seat",
      (doc) =>
        withRow(doc, section, at, (one) => ({
          ...one,
          list: (one.list ?? []).map((seat, number) => (number === place ? make(seat) : seat)),
        })),
      `row:${section}:${at} ${place} ${field}`,
    );
  return (
    <section className="editor-group">
      <h3>{t("row.listed", { count: list.length })}</h3>
      <ul role="list" className="editor-seats">
        {list.map((seat, place) => (
          <li key={place}>
            <TextInput
              label={t("seat.label")}
              value={seat.label}
              most={40}
              onChange={(label) => put(place, "label", (one) => ({ ...one, label }))}
            />
            <CategoryChoice
              value={seat.category ?? null}
              usual={t("category.of_row")}
              onChange={(category) =>
                put(place, "category", (one) => edited(one, { category: category ?? undefined }))
              }
            />
            <Check
              label={t("seat.accessible")}
              value={seat.accessible ?? false}
              onChange={(is) =>
                put(place, "accessible", (one) =>
                  edited(one, {
                    accessible: is || undefined,
                    companion_of: is ? undefined : one.companion_of,
                  }),
                )
              }
            />
            <Check
              label={t("seat.gap")}
              value={seat.gap ?? false}
              onChange={(is) => put(place, "gap", (one) => edited(one, { gap: is || undefined }))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
