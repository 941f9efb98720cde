// The inspector of a table.
import { STANDARD } from "~/seatmap/plan";
import { useEditor } from "../context";
import { orNothing } from "../document/edit";
import { sceneOf } from "../document/scene";
import { readNumbers } from "../document/sections";
import { usePart, type PanelProps } from "./binding";
import { CategoryChoice, Check, Choice, Group, NumberInput, ReadInput, TextInput } from "./fields";
import { Place } from "./Place";

export function TablePanel({ of: key, item, part: table }: PanelProps<"table">) {
  const { t, plan } = useEditor();
  const { put, ...fields } = usePart(key, table);
  const shown = sceneOf(plan).tables.get(key);
  const usual = { category: plan.sections?.[item.section]?.category ?? STANDARD };
  const readSeats = (text: string) => {
    const seats = readNumbers(text);
    return seats?.every((seat) => seat >= 1 && seat <= table.seats) ? seats : null;
  };
  const putSeats = (seats: number) => {
    const accessible = orNothing(table.accessible?.filter((seat) => seat <= seats));
    put({ seats, accessible });
  };
  return (
    <>
      <Group>
        <TextInput {...fields.text("name")} most={40} />
        <CategoryChoice {...fields.category("category")} usual={t("category.of_section", usual)} />
        <NumberInput {...fields.number("seats")} onChange={putSeats} whole={[1, 100]} />
        <Choice {...fields.choice("shape", ["round", "rectangle"], "shape")} />
        <Check
          {...fields.check("whole")}
          onChange={(whole) =>
            put({ whole: whole || undefined, ...(whole && { accessible: undefined }) })
          }
        />
        {!table.whole && (
          <ReadInput
            field="accessible"
            value={(table.accessible ?? []).join(", ")}
            read={readSeats}
            onChange={(seats) => put({ accessible: orNothing(seats) })}
          />
        )}
      </Group>
      {shown && <Place item={key} at={[shown.x, shown.y]} />}
    </>
  );
}
