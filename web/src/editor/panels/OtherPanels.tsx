// The inspectors of what is no row: tables, standing areas, the stage, shapes, the focus, the room.
import { useTranslation } from "react-i18next";
import { Button } from "~/design/Button";
import {
  STAGE_DEFAULTS,
  STANDARD,
  type Pool,
  type Shape,
  type Stage,
  type Table,
} from "~/seatmap/plan";
import { useEditor } from "../context";
import { areaOf, rectangle } from "../document/adding";
import { edited, orNothing, tidy, withPool, withShape, withTable } from "../document/edit";
import { FOCUS, poolKey, shapeKey, STAGE, tableKey } from "../document/items";
import { move, pinAll, turn, turnOf } from "../document/moving";
import { sceneOf } from "../document/scene";
import { readNumbers } from "../document/sections";
import { CategoryChoice, Check, Choice, Group, NumberInput, ReadInput, TextInput } from "./fields";

const round = (value: number) => Math.round(value * 1000) / 1000;

export function TablePanel({ section, at }: { section: number; at: number }) {
  const { t } = useTranslation("editor");
  const { plan, change } = useEditor();
  const of = plan.sections?.[section];
  const table = of?.tables?.[at];
  const key = tableKey(section, at);
  const shown = sceneOf(plan).tables.get(key);
  if (!of || !table || !shown) return null;
  const put = (label: string, field: string, make: (table: Table) => Table) =>
    change(label, (doc) => withTable(doc, section, at, make), `${key} ${field}`);
  return (
    <>
      <Group>
        <TextInput
          isFirst
          label={t("field.name")}
          most={40}
          value={table.name}
          onChange={(name) => put("rename", "name", (one) => ({ ...one, name }))}
        />
        <CategoryChoice
          value={table.category ?? null}
          usual={t("category.of_section", { category: of.category ?? STANDARD })}
          onChange={(category) =>
            put("category", "category", (one) => edited(one, { category: category ?? undefined }))
          }
        />
        <NumberInput
          label={t("field.seats")}
          value={table.seats}
          isWhole
          min={1}
          max={100}
          onChange={(seats) =>
            put("seats", "seats", (one) => {
              const accessible = one.accessible?.filter((seat) => seat <= seats);
              return edited(one, { seats, accessible: accessible && orNothing(accessible) });
            })
          }
        />
        <Choice
          label={t("field.shape")}
          value={table.shape ?? "round"}
          options={["round", "rectangle"].map((value) => ({ value, label: t(`shape.${value}`) }))}
          onChange={(shape) =>
            put("shape", "shape", (one) =>
              edited(one, { shape: shape === "rectangle" ? shape : undefined }),
            )
          }
        />
        <Check
          label={t("field.whole")}
          value={table.whole ?? false}
          onChange={(whole) =>
            put("whole", "whole", (one) =>
              edited(one, {
                whole: whole || undefined,
                accessible: whole ? undefined : one.accessible,
              }),
            )
          }
        />
        {!table.whole && (
          <ReadInput
            label={t("field.accessible")}
            hint={t("field.accessible_hint")}
            value={(table.accessible ?? []).join(", ")}
            read={(text) => {
              const numbers = readNumbers(text);
              return numbers?.every((seat) => seat >= 1 && seat <= table.seats) ? numbers : null;
            }}
            onChange={(seats) =>
              put("accessible", "accessible", (one) =>
                edited(one, { accessible: orNothing(seats) }),
              )
            }
          />
        )}
      </Group>
      <Group title={t("group.place")}>
        <NumberInput
          label="X"
          value={round(shown.x)}
          step={0.5}
          onChange={(x) =>
            change("move", (doc) => move(doc, [key], tidy(x - shown.x), 0), `${key} x`)
          }
        />
        <NumberInput
          label="Y"
          value={round(shown.y)}
          step={0.5}
          onChange={(y) =>
            change("move", (doc) => move(doc, [key], 0, tidy(y - shown.y)), `${key} y`)
          }
        />
        <NumberInput
          label={t("field.rotation")}
          value={round(turnOf(plan, key) ?? 0)}
          min={-360}
          max={360}
          step={5}
          onChange={(degrees) => change("turn", (doc) => turn(doc, key, degrees), `${key} turn`)}
        />
      </Group>
    </>
  );
}

export function PoolPanel({ at }: { at: number }) {
  const { t } = useTranslation("editor");
  const { plan, change, view } = useEditor();
  const pool = plan.pools?.[at];
  if (!pool) return null;
  const put = (label: string, field: string, make: (pool: Pool) => Pool) =>
    change(label, (doc) => withPool(doc, at, make), `${poolKey(at)} ${field}`);
  const area = areaOf(pool.outline ?? []);
  return (
    <Group>
      <TextInput
        isFirst
        label={t("field.name")}
        value={pool.unit}
        onChange={(unit) => put("rename", "name", (one) => ({ ...one, unit }))}
      />
      <NumberInput
        label={t("field.capacity")}
        value={pool.capacity}
        isWhole
        min={0}
        max={1_000_000_000}
        step={10}
        {...(area > 0 && { hint: t("field.capacity_hint", { count: Math.round(area * 2) }) })}
        onChange={(capacity) => put("capacity", "capacity", (one) => ({ ...one, capacity }))}
      />
      <CategoryChoice
        value={pool.category ?? null}
        usual={t("category.none")}
        onChange={(category) =>
          put("category", "category", (one) => edited(one, { category: category ?? undefined }))
        }
      />
      {(pool.outline?.length ?? 0) < 3 && (
        <Button
          kind="quiet"
          size="small"
          onClick={() => {
            const [x, y] = view.current?.middle() ?? [0, 0];
            const outline = rectangle([tidy(x - 5), tidy(y - 3)], [tidy(x + 5), tidy(y + 3)]);
            put("points", "outline", (one) => ({ ...one, outline }));
          }}
        >
          {t("pool.outline")}
        </Button>
      )}
    </Group>
  );
}

export function StagePanel() {
  const { t } = useTranslation("editor");
  const { plan, change } = useEditor();
  if (!plan.stage) return null;
  const stage = { ...STAGE_DEFAULTS, ...plan.stage };
  const put = (label: string, field: string, changes: Partial<Stage>) =>
    change(
      label,
      (doc) => edited(pinAll(doc), { stage: { ...doc.stage, ...changes } }),
      `${STAGE} ${field}`,
    );
  const sizes = ["x", "y", "width", "height"] as const;
  return (
    <Group>
      <TextInput
        isFirst
        label={t("field.label")}
        value={stage.label ?? ""}
        isNeeded={false}
        onChange={(label) => put("rename", "label", { label: label || null })}
      />
      <Choice
        label={t("field.kind")}
        value={stage.kind}
        options={["stage", "screen"].map((value) => ({ value, label: t(`stage.${value}`) }))}
        onChange={(kind) => put("shape", "kind", { kind: kind === "screen" ? "screen" : "stage" })}
      />
      {sizes.map((name) => (
        <NumberInput
          key={name}
          label={t(`field.${name}`)}
          value={stage[name]}
          step={0.5}
          {...(name === "width" || name === "height" ? { min: 0 } : {})}
          onChange={(value) => put("stage.size", name, { [name]: tidy(value) })}
        />
      ))}
    </Group>
  );
}

export function ShapePanel({ at }: { at: number }) {
  const { t } = useTranslation("editor");
  const { plan, change } = useEditor();
  const shape = plan.shapes?.[at];
  if (!shape) return null;
  const key = shapeKey(at);
  const put = (label: string, field: string, make: (shape: Shape) => Shape) =>
    change(label, (doc) => withShape(doc, at, make), `${key} ${field}`);
  if (shape.kind === "text") {
    return (
      <Group>
        <TextInput
          isFirst
          label={t("field.text")}
          value={shape.text}
          onChange={(text) =>
            put("rename", "text", (one) => (one.kind === "text" ? { ...one, text } : one))
          }
        />
        <NumberInput
          label={t("field.size")}
          value={shape.size ?? 1}
          min={0.1}
          max={200}
          step={0.1}
          onChange={(size) =>
            put("size", "size", (one) => (one.kind === "text" ? { ...one, size: tidy(size) } : one))
          }
        />
        {(["x", "y"] as const).map((name) => (
          <NumberInput
            key={name}
            label={t(`field.${name}`)}
            value={shape[name]}
            step={0.5}
            onChange={(value) =>
              put("move", name, (one) =>
                one.kind === "text" ? { ...one, [name]: tidy(value) } : one,
              )
            }
          />
        ))}
        <NumberInput
          label={t("field.rotation")}
          value={shape.rotation ?? 0}
          min={-360}
          max={360}
          step={5}
          onChange={(degrees) => change("turn", (doc) => turn(doc, key, degrees), `${key} turn`)}
        />
      </Group>
    );
  }
  return (
    <Group>
      {shape.kind === "polygon" && (
        <Colour
          label={t("field.fill")}
          value={shape.fill ?? null}
          onChange={(fill) =>
            put("colour", "fill", (one) => (one.kind === "polygon" ? edited(one, { fill }) : one))
          }
        />
      )}
      <Colour
        label={t("field.stroke")}
        value={shape.stroke ?? null}
        onChange={(stroke) =>
          put("colour", "stroke", (one) => (one.kind === "text" ? one : edited(one, { stroke })))
        }
      />
    </Group>
  );
}

function Colour(props: {
  label: string;
  value: string | null;
  onChange: (value: string | undefined) => void;
}) {
  const { t } = useTranslation("editor");
  return (
    <div className="editor-colour">
      <label>
        <span>{props.label}</span>
        <input
          type="color"
          value={props.value ?? "#8d8798"}
          onChange={(event) => props.onChange(event.target.value)}
        />
      </label>
      {props.value !== null && (
        <Button kind="bare" size="small" onClick={() => props.onChange(undefined)}>
          {t("colour.none")}
        </Button>
      )}
    </div>
  );
}

export function FocusPanel() {
  const { t } = useTranslation("editor");
  const { plan, change } = useEditor();
  const { focus } = plan;
  if (!focus) return null;
  return (
    <>
      <p className="editor-text">{t("focus.text")}</p>
      <Group>
        <NumberInput
          label="X"
          value={focus[0]}
          step={0.5}
          onChange={(x) =>
            change("move", (doc) => edited(doc, { focus: [tidy(x), focus[1]] }), `${FOCUS} x`)
          }
        />
        <NumberInput
          label="Y"
          value={focus[1]}
          step={0.5}
          onChange={(y) =>
            change("move", (doc) => edited(doc, { focus: [focus[0], tidy(y)] }), `${FOCUS} y`)
          }
        />
      </Group>
    </>
  );
}

export function RoomPanel() {
  const { t } = useTranslation("editor");
  const { plan, change } = useEditor();
  return (
    <>
      <p className="editor-text">{t("room.text")}</p>
      <Group title={t("group.rules")}>
        <Choice
          label={t("field.orphans")}
          value={plan.orphans ?? "off"}
          options={["off", "lenient", "strict"].map((value) => ({
            value,
            label: t(`orphans.${value}`),
          }))}
          onChange={(value) =>
            change("rule", (doc) =>
              edited(doc, {
                orphans: value === "strict" || value === "lenient" ? value : undefined,
              }),
            )
          }
        />
      </Group>
    </>
  );
}
