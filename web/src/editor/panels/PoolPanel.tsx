// The inspector of a standing area.
import { Button } from "~/design";
import { useEditor } from "../context";
import { areaOf, tidyPoints } from "../document/additions";
import { rectangle } from "../document/bounds";
import { usePart, type PanelProps } from "./binding";
import { CategoryChoice, Group, NumberInput, TextInput } from "./fields";

export function PoolPanel({ of: key, part: pool }: PanelProps<"pool">) {
  const { t, view } = useEditor();
  const { put, ...fields } = usePart(key, pool);
  const people = Math.round(areaOf(pool.outline ?? []) * 2);
  const draw = () => {
    const [x, y] = view.current?.middle() ?? [0, 0];
    put({ outline: tidyPoints(rectangle([x - 5, y - 3], [x + 5, y + 3])) });
  };
  return (
    <Group>
      <TextInput {...fields.text("unit")} />
      <NumberInput
        {...fields.number("capacity")}
        whole={[0, 1_000_000_000, 10]}
        hint={people > 0 ? t("field.capacity_hint", { count: people }) : undefined}
      />
      <CategoryChoice {...fields.category("category")} usual={t("category.none")} />
      {(pool.outline?.length ?? 0) < 3 && (
        <Button kind="quiet" size="small" onClick={draw}>
          {t("pool.outline")}
        </Button>
      )}
    </Group>
  );
}
