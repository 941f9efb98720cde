// The inspectors of what is only drawn: words, lines, outlines.
import type { Shape } from "~/seatmap/plan";
import { shapeKey } from "../document/items";
import { usePart } from "./binding";
import { Colour, Group, NumberInput, TextInput } from "./fields";
import { Place } from "./Place";

type Of<K extends Shape["kind"]> = Extract<Shape, { kind: K }>;

export function ShapePanel({ at, shape }: { at: number; shape: Shape }) {
  if (shape.kind === "text") return <Words at={at} shape={shape} />;
  return <Outline at={at} shape={shape} />;
}

function Words({ at, shape }: { at: number; shape: Of<"text"> }) {
  const fields = usePart(shapeKey(at), shape);
  return (
    <>
      <Group>
        <TextInput {...fields.text("text")} />
        <NumberInput {...fields.number("size", 1)} range={[0.1, 200]} step={0.1} />
      </Group>
      <Place item={shapeKey(at)} at={[shape.x, shape.y]} />
    </>
  );
}

function Outline({ at, shape }: { at: number; shape: Of<"line" | "polygon"> }) {
  const fields = usePart<Of<"polygon"> | Of<"line">>(shapeKey(at), shape);
  const fill = usePart<Of<"polygon">>(shapeKey(at), { ...shape, kind: "polygon" });
  return (
    <Group>
      {shape.kind === "polygon" && <Colour {...fill.colour("fill")} />}
      <Colour {...fields.colour("stroke")} />
    </Group>
  );
}
