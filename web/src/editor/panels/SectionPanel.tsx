// The inspector of a section: its name and place, its rows and how they are called and counted.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/design/Button";
import { STANDARD } from "~/seatmap/plan";
import { useEditor } from "../context";
import { setCategory } from "../document/categories";
import { edited, tidy, withSection } from "../document/edit";
import { sectionKey } from "../document/items";
import { move, pin, turn } from "../document/moving";
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
import { CategoryChoice, Check, Choice, Group, NumberInput, TextInput } from "./fields";

export function SectionPanel({ at }: { at: number }) {
  const { t } = useTranslation("editor");
  const { plan, change } = useEditor();
  const section = plan.sections?.[at];
  const origin = sceneOf(plan).origins[at];
  if (!section || !origin) return null;
  const key = sectionKey(at);
  const tag = (field: string) => `${key} ${field}`;
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return (
    <>
      <Group>
        <TextInput
          isFirst
          label={t("field.name")}
          value={section.name}
          onChange={(name) =>
            change("rename", (doc) => withSection(doc, at, (of) => ({ ...of, name })), tag("name"))
          }
        />
        <CategoryChoice
          value={section.category ?? STANDARD}
          onChange={(category) =>
            change("category", (doc) => setCategory(doc, [key], category ?? STANDARD))
          }
        />
        <TextInput
          label={t("field.prefix")}
          value={section.prefix ?? ""}
          most={40}
          isNeeded={false}
          hint={t("field.prefix_hint", {
            example: `${section.prefix ?? ""}${section.rows?.[0]?.name ?? "A"}1`,
          })}
          onChange={(prefix) =>
            change(
              "prefix",
              (doc) => withSection(doc, at, (of) => edited(of, { prefix: prefix || undefined })),
              tag("prefix"),
            )
          }
        />
      </Group>
      {(section.rows?.length ?? 0) > 0 && <RowsGroup at={at} />}
      <Group title={t("group.place")}>
        <NumberInput
          label="X"
          value={round(origin.x)}
          step={0.5}
          onChange={(x) =>
            change("move", (doc) => move(doc, [key], tidy(x - origin.x), 0), tag("x"))
          }
        />
        <NumberInput
          label="Y"
          value={round(origin.y)}
          step={0.5}
          onChange={(y) =>
            change("move", (doc) => move(doc, [key], 0, tidy(y - origin.y)), tag("y"))
          }
        />
        <NumberInput
          label={t("field.rotation")}
          value={section.rotation ?? 0}
          min={-360}
          max={360}
          step={5}
          onChange={(degrees) => change("turn", (doc) => turn(doc, key, degrees), tag("turn"))}
        />
        <NumberInput
          label={t("field.curve")}
          value={section.curve ?? 0}
          min={0}
          max={180}
          step={5}
          onChange={(curve) =>
            change(
              "curve",
              (doc) =>
                withSection(pin(doc, at), at, (of) => edited(of, { curve: curve || undefined })),
              tag("curve"),
            )
          }
        />
      </Group>
    </>
  );
}

function RowsGroup({ at }: { at: number }) {
  const { t } = useTranslation("editor");
  const { plan, change } = useEditor();
  const [isOpen, setOpen] = useState(false);
  const rows = plan.sections?.[at]?.rows ?? [];
  const counted = rows.find((row) => !isListed(row));
  const tag = (field: string) => `section:${at} ${field}`;
  return (
    <>
      <Group title={t("group.rows")}>
        <NumberInput
          label={t("field.rows")}
          value={rows.length}
          isWhole
          min={1}
          max={500}
          onChange={(count) => change("rows", (doc) => setRows(doc, at, count), tag("rows"))}
        />
        {counted && (
          <>
            <NumberInput
              label={t("field.seats_a_row")}
              value={rows.every((row) => row.seats === counted.seats) ? (counted.seats ?? 0) : null}
              placeholder={t("field.differs")}
              isWhole
              min={1}
              max={1000}
              onChange={(seats) =>
                change("seats", (doc) => setRowSeats(doc, at, seats), tag("seats"))
              }
            />
            <NumberInput
              label={t("field.first")}
              value={lowestOf(counted)}
              isWhole
              min={0}
              max={10_000}
              onChange={(first) =>
                change(
                  "numbering",
                  (doc) => numberSeats(doc, at, first, Math.abs(stepOf(counted))),
                  tag("first"),
                )
              }
            />
            <Choice
              label={t("field.step")}
              value={String(Math.abs(stepOf(counted)))}
              options={stepsWith(Math.abs(stepOf(counted))).map((step) => ({
                value: String(step),
                label: step <= 2 ? t(`step.${step}`) : t("step.other", { step }),
              }))}
              onChange={(step) =>
                change("numbering", (doc) => numberSeats(doc, at, lowestOf(counted), Number(step)))
              }
            />
            <Check
              label={t("field.from_other_end")}
              value={stepOf(counted) < 0}
              onChange={() => change("numbering", (doc) => reverseSeats(doc, at))}
            />
          </>
        )}
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

/** One after the other, or every other number, as odd and even sides have. */
const stepsWith = (step: number): number[] => (step <= 2 ? [1, 2] : [1, 2, step]);

function Naming({ at, count }: { at: number; count: number }) {
  const { t } = useTranslation("editor");
  const { change } = useEditor();
  const [letters, setLetters] = useState(true);
  const [first, setFirst] = useState(1);
  const [fromBack, setFromBack] = useState(false);
  const [clear, setClear] = useState(false);
  const apply = () =>
    change("naming", (doc) =>
      nameRows(doc, at, { letters, first: letters ? first - 1 : first, fromBack, clear }),
    );
  return (
    <Group>
      <Choice
        label={t("naming.kind")}
        value={letters ? "letters" : "numbers"}
        options={[
          { value: "letters", label: t("naming.letters") },
          { value: "numbers", label: t("naming.numbers") },
        ]}
        onChange={(value) => setLetters(value === "letters")}
      />
      <NumberInput
        label={t("naming.first")}
        value={first}
        isWhole
        min={1}
        max={700}
        onChange={setFirst}
      />
      <Check label={t("naming.from_back")} value={fromBack} onChange={setFromBack} />
      {letters && <Check label={t("naming.clear")} value={clear} onChange={setClear} />}
      <Button kind="quiet" size="small" onClick={apply}>
        {t("naming.apply", { count })}
      </Button>
    </Group>
  );
}
