// Where a thing stands in the room and how it is turned, as numbers. Typing them moves it.
import type { ReactNode } from "react";
import type { Point } from "~/seatmap/plan";
import { useEditor } from "../context";
import { tidy } from "../document/edit";
import type { Key } from "../document/items";
import { move, turn, turnOf } from "../document/moves";
import { Group, NumberInput } from "./fields";

type Props = { item: Key; at: Point; children?: ReactNode };

export function Place({ item, at: [x, y], children }: Props) {
  const { t, plan, change } = useEditor();
  const degrees = turnOf(plan, item);
  const moveBy = (field: "x" | "y", by: readonly [number, number]) =>
    change("move", (doc) => move(doc, [item], ...by), `${item} ${field}`);
  return (
    <Group title={t("group.place")}>
      <NumberInput
        label={t("field.x")}
        value={tidy(x)}
        onChange={(to) => moveBy("x", [tidy(to - x), 0])}
        step={0.5}
      />
      <NumberInput
        label={t("field.y")}
        value={tidy(y)}
        onChange={(to) => moveBy("y", [0, tidy(to - y)])}
        step={0.5}
      />
      {degrees !== null && (
        <NumberInput
          label={t("field.rotation")}
          value={tidy(degrees)}
          onChange={(to) => change("turn", (doc) => turn(doc, item, to), `${item} turn`)}
          range={[-360, 360]}
          step={5}
        />
      )}
      {children}
    </Group>
  );
}
