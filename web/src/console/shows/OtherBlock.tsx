// A form that blocks what has no seat map: pools, nights, times, numbers.
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { Button, Field, Icon, Select } from "~/design";
import { SellButton } from "../desk/SellButton";
import { BlockDialog } from "./BlockDialog";
import { blockFields, blockLine, type Filled } from "./blockForm";

const NOTHING: Filled = { unit: "", from: "", to: "", quantity: "" };

export function OtherBlock({ show }: { show: Resource }) {
  const { t } = useTranslation("console");
  const form = useId();
  const [filled, fill] = useState(NOTHING);
  const [asking, ask] = useState(false);
  const fields = blockFields(show.plan);
  const line = blockLine(fields, filled);
  const set = (name: keyof Filled) => (event: { target: { value: string } }) =>
    fill({ ...filled, [name]: event.target.value });
  return (
    <form
      id={form}
      className="console-form-grid"
      onSubmit={(event) => {
        event.preventDefault();
        if (line) ask(true);
      }}
    >
      {fields.units === null ? (
        <Field label={t("block.unit")} value={filled.unit} maxLength={200} onChange={set("unit")} />
      ) : (
        <Select label={t("block.unit")} value={filled.unit} onChange={set("unit")}>
          <option value="">{fields.needsUnit ? t("block.choose") : t("block.all_units")}</option>
          {fields.units.map((unit) => (
            <option key={unit}>{unit}</option>
          ))}
        </Select>
      )}
      {fields.hasQuantity && (
        <Field
          label={t("block.quantity")}
          type="number"
          min={1}
          value={filled.quantity}
          onChange={set("quantity")}
        />
      )}
      {fields.range !== null && (
        <>
          <Field
            label={t("block.from")}
            type={fields.range}
            value={filled.from}
            onChange={set("from")}
          />
          <Field label={t("block.to")} type={fields.range} value={filled.to} onChange={set("to")} />
        </>
      )}
      <Button type="submit" disabled={line === null}>
        <Icon name="block" size={18} />
        {t("block.verb")}
      </Button>
      <SellButton
        resource={show.id}
        lines={line ? [line] : []}
        count={line?.quantity ?? 1}
        onDone={() => fill(NOTHING)}
      />
      <BlockDialog
        open={asking}
        resource={show.id}
        lines={line ? [line] : []}
        count={line?.quantity ?? 1}
        onClose={() => ask(false)}
        onDone={() => fill(NOTHING)}
      />
    </form>
  );
}
