// The inspector of a section: its name and place, its rows and how they are called and counted.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/design";
import { STANDARD, type Row } from "~/seatmap/plan";
import { useEditor } from "../context";
import { setCategory } from "../document/categories";
import { sectionKey } from "../document/items";
import { isListed, stepOf } from "../document/rows";
import { sceneOf } from "../document/scene";
import {
  lowestOf,
  nameRows,
  numberSeats,
  reverseSeats,
  setRows,
  setRowSeats,
} from "../document/sections";
import { usePart, type PanelProps } from "./binding";
import { CategoryChoice, Check, Choice, Group, NumberInput, TextInput } from "./fields";
import { Place } from "./Place";

export function SectionPanel({ of: key, item: { at }, part: section }: PanelProps<"section">) {
  const { t, plan } = useEditor();
  const { act, ...fields } = usePart(key, section);
  const origin = sceneOf(plan).origins[at];
  const example = `${section.prefix ?? ""}${section.rows?.[0]?.name ?? "A"}1`;
  return (
    <>
      <Group>
        <TextInput {...fields.text("name")} />
        <CategoryChoice
          value={section.category ?? STANDARD}
          onChange={(category) =>
            act("category", "category", (doc) => setCategory(doc, [key], category ?? STANDARD))
          }
        />
        <TextInput
          {...fields.text("prefix", false)}
          most={40}
          hint={t("field.prefix_hint", { example })}
        />
      </Group>
      {section.rows?.length && <Rows at={at} rows={section.rows} />}
      {origin && (
        <Place item={key} at={[origin.x, origin.y]}>
          <NumberInput {...fields.number("curve", 0)} range={[0, 180]} step={5} />
        </Place>
      )}
    </>
  );
}

function Rows({ at, rows }: { at: number; rows: readonly Row[] }) {
  const { t, change } = useEditor();
  const [isOpen, setOpen] = useState(false);
  const counted = rows.find((row) => !isListed(row));
  return (
    <>
      <Group title={t("group.rows")}>
        <NumberInput
          label={t("field.rows")}
          value={rows.length}
          onChange={(count) =>
            change("rows", (doc) => setRows(doc, at, count), `${sectionKey(at)} rows`)
          }
          whole={[1, 500]}
        />
        {counted && <Counting at={at} rows={rows} first={counted} />}
      </Group>
      <div className="editor-more">
        <Button kind="quiet" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t("rows.rename")}
        </Button>
        {isOpen && <Naming at={at} count={rows.length} />}
      </div>
    </>
  );
}

/** How many seats the counted rows have, and how these are counted; `first` is the first such row. */
function Counting({ at, rows, first }: { at: number; rows: readonly Row[]; first: Row }) {
  const { t } = useTranslation("editor");
  const { act } = usePart(sectionKey(at), first);
  const step = Math.abs(stepOf(first));
  // One after the other, or every other number, as odd and even sides have.
  const steps = step <= 2 ? [1, 2] : [1, 2, step];
  return (
    <>
      <NumberInput
        label={t("field.seats_a_row")}
        value={rows.every((row) => row.seats === first.seats) ? (first.seats ?? 0) : null}
        placeholder={t("field.differs")}
        onChange={(seats) => act("seats", "seats", (doc) => setRowSeats(doc, at, seats))}
        whole={[1, 1000]}
      />
      <NumberInput
        label={t("field.first")}
        value={lowestOf(first)}
        onChange={(from) => act("numbering", "first", (doc) => numberSeats(doc, at, from, step))}
        whole={[0, 10_000]}
      />
      <Choice
        label={t("field.step")}
        value={String(step)}
        options={steps.map((by) => ({
          value: String(by),
          label: by <= 2 ? t(`step.${by}`) : t("step.other", { step: by }),
        }))}
        onChange={(by) =>
          act("numbering", "step", (doc) => numberSeats(doc, at, lowestOf(first), Number(by)))
        }
      />
      <Check
        label={t("field.from_other_end")}
        value={stepOf(first) < 0}
        onChange={() => act("numbering", "end", (doc) => reverseSeats(doc, at))}
      />
    </>
  );
}

const KINDS = ["letters", "numbers"] as const;

function Naming({ at, count }: { at: number; count: number }) {
  const { t, change } = useEditor();
  const [kind, setKind] = useState<(typeof KINDS)[number]>("letters");
  const [first, setFirst] = useState(1);
  const [fromBack, setFromBack] = useState(false);
  const [clear, setClear] = useState(false);
  const letters = kind === "letters";
  const naming = { letters, first: letters ? first - 1 : first, fromBack, clear };
  const apply = () => change("naming", (doc) => nameRows(doc, at, naming));
  return (
    <Group>
      <Choice
        label={t("naming.kind")}
        value={kind}
        options={KINDS.map((value) => ({ value, label: t(`naming.${value}`) }))}
        onChange={setKind}
      />
      <NumberInput label={t("naming.first")} value={first} onChange={setFirst} whole={[1, 700]} />
      <Check label={t("naming.from_back")} value={fromBack} onChange={setFromBack} />
      {letters && <Check label={t("naming.clear")} value={clear} onChange={setClear} />}
      <Button kind="quiet" size="small" onClick={apply}>
        {t("naming.apply", { count })}
      </Button>
    </Group>
  );
}
