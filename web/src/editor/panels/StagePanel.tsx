// The inspector of the stage or screen.
import { STAGE_DEFAULTS, type Stage } from "~/seatmap/plan";
import { STAGE } from "../document/items";
import { usePart, type PanelProps } from "./binding";
import { Choice, Group, NumberInput, TextInput } from "./fields";
import { Place } from "./Place";

export function StagePanel({ part: stage }: PanelProps<"stage">) {
  const fields = usePart<Stage>(STAGE, { ...STAGE_DEFAULTS, ...stage });
  return (
    <>
      <Group>
        <TextInput {...fields.text("label", false)} />
        <Choice {...fields.choice("kind", ["stage", "screen"], "stage")} />
        <NumberInput {...fields.number("width")} range={[0, 1_000_000]} step={0.5} />
        <NumberInput {...fields.number("height")} range={[0, 1_000_000]} step={0.5} />
      </Group>
      <Place item={STAGE} at={[stage.x ?? STAGE_DEFAULTS.x, stage.y ?? STAGE_DEFAULTS.y]} />
    </>
  );
}
