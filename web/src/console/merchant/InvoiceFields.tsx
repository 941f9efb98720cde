// What stands on invoices beside the name and the address.
import { useTranslation } from "react-i18next";
import { Field, TextArea } from "~/design";
import { Panel } from "../parts";
import type { TextField } from "./draft";

type TextProps = {
  label: string;
  value: string;
  error: string | null;
  onChange: (event: { target: { value: string } }) => void;
};

export function InvoiceFields({ text }: { text: (name: TextField) => TextProps }) {
  const { t } = useTranslation("console");
  return (
    <Panel title={t("merchant.invoices")} lead={t("merchant.invoices_lead")}>
      <Field {...text("tax_number")} maxLength={39} dir="ltr" />
      <Field
        {...text("invoice_prefix")}
        hint={t("merchant.invoice_prefix_hint")}
        maxLength={20}
        dir="ltr"
      />
      <TextArea
        {...text("invoice_note")}
        hint={t("merchant.invoice_note_hint")}
        dir="auto"
        rows={2}
        maxLength={500}
      />
    </Panel>
  );
}
