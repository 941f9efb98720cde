// The inspectors of what is only drawn: words, lines, outlines.
import type { Shape } from "~/seatmap/plan";
import { usePart, type PanelProps } from "./binding";
import { Colour, Group, NumberInput, TextInput } from "./fields";
import { Place } from "./Place";

type Of<K extends Shape["kind"]> = Extract<Shape, { kind: K }>;
type Props<K extends Shape["kind"]> = Pick<PanelProps<"shape">, "of"> & { shape: Of<K> };

export function ShapePanel({ of, part: shape }: PanelProps<"shape">) {
  return shape.kind === "text" ? <Words {...{ of, shape }} /> : <Outline {...{ of, shape }} />;
}

function Words({ of, shape }: Props<"text">) {
  const fields = usePart(of, shape);
  return (
    <>
      <Group>
        <TextInput {...fields.text("text")} />
        <NumberInput {...fields.number("size", 1)} range={[0.1, 200]} step={0.1} />
      </Group>
      <Place item={of} at={[shape.x, shape.y]} />
    </>
  );
}

function Outline({ of, shape }: Props<"line" | "polygon">) {
  const fields = usePart<Of<"polygon"> | Of<"line">>(of, shape);
  const fill = usePart<Of<"polygon">>(of, { ...shape, kind: "polygon" });
  return (
    <Group>
      {shape.kind === "polygon" && <Colour {...fill.colour("fill")} />}
      <Colour {...fields.colour("stroke")} />
    </Group>
  );
}
