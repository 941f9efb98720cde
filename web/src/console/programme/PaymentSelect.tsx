// How something is paid that has a price. That one's own server books it is a choice only where it is so.
import { useTranslation } from "react-i18next";
import { Select } from "~/design";
import { type Payment, PAYMENTS } from "./dateDraft";

type Props = { value: Payment; disabled?: boolean; onChange: (payment: Payment) => void };

export function PaymentSelect({ value, disabled = false, onChange }: Props) {
  const { t } = useTranslation("programme");
  const rules = PAYMENTS.filter((rule) => rule !== "none" || value === "none");
  return (
    <Select
      label={t("date.payment")}
      hint={t(`date.payment_hint.${value}`)}
      value={value}
      disabled={disabled}
      onChange={({ target }) => {
        const payment = PAYMENTS.find((one) => one === target.value);
        if (payment !== undefined) onChange(payment);
      }}
    >
      {rules.map((rule) => (
        <option key={rule} value={rule}>
          {t(`date.payments.${rule}`)}
        </option>
      ))}
    </Select>
  );
}
