// Who buys at the desk. A mail address is enough for who stands there; a caller has often none, and is asked for a
// name and a number.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { PHONE_LENGTH_MAX, phoneOf } from "~/api/phone";
import { Field } from "~/design";
import type { Buyer } from "./sale";

type BuyerProps = { buyer: Buyer; onChange: (buyer: Buyer) => void; calls: boolean };

export function BuyerFields({ buyer, onChange, calls }: BuyerProps) {
  const { t } = useTranslation("console");
  const [wasPhone, setWasPhone] = useState(false);
  const isMailed = buyer.email.trim() !== "";
  const name = (
    <Field
      label={t("desk.name")}
      autoComplete="off"
      maxLength={200}
      value={buyer.name}
      onChange={({ target }) => onChange({ ...buyer, name: target.value })}
    />
  );
  return (
    <>
      {calls && name}
      {calls && (
        <Field
          label={t("desk.phone")}
          type="tel"
          dir="ltr"
          autoComplete="off"
          maxLength={PHONE_LENGTH_MAX}
          value={buyer.phone}
          // Not while it is being typed.
          error={wasPhone && phoneOf(buyer.phone) === null ? t("desk.phone_wrong") : null}
          onBlur={() => setWasPhone(true)}
          onChange={({ target }) => onChange({ ...buyer, phone: target.value })}
        />
      )}
      <Field
        label={t("desk.email")}
        hint={t(calls && !isMailed ? "desk.no_mail" : "desk.email_hint")}
        type="email"
        dir="ltr"
        autoComplete="off"
        maxLength={254}
        value={buyer.email}
        onChange={({ target }) => onChange({ ...buyer, email: target.value })}
      />
      {!calls && isMailed && name}
    </>
  );
}
