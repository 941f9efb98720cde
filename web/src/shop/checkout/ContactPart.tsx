// Who is told of the booking. Where it takes the place of another one, the contact of that goes along, which nobody here is
// told: it is asked for only of who wants to say another.
import { useTranslation } from "react-i18next";
import { PHONE_LENGTH_MAX } from "~/api/phone";
import { Button, Field } from "~/design";
import type { WordingOptions } from "../wording";
import { CHANGE_WORDS } from "./changeWords";
import type { ContactFields, Said } from "./contact";

type ContactProps = {
  contact: ContactFields;
  said: Pick<Said, "isEmailWrong" | "isPhoneWrong">;
  onType: (contact: ContactFields) => void;
  /** Whether one may leave a number to be called at. */
  asksPhone: boolean;
  words: WordingOptions;
};

type PartProps = ContactProps & {
  /** Whether another booking has a contact that goes along. */
  isInstead: boolean;
  /** Whether another one is typed. */
  isTyped: boolean;
  onSwitch: () => void;
};

export function ContactPart({ isInstead, isTyped, onSwitch, ...fields }: PartProps) {
  const { t } = useTranslation("shop");
  return (
    <section className="card checkout-part" aria-labelledby="contact-title">
      <h2 id="contact-title">{t("checkout.contact", fields.words)}</h2>
      {isInstead && <KeptContact {...{ isTyped, onSwitch }} />}
      {isTyped && <Typed {...fields} />}
    </section>
  );
}

function KeptContact({ isTyped, onSwitch }: Pick<PartProps, "isTyped" | "onSwitch">) {
  const { t } = useTranslation(CHANGE_WORDS);
  return (
    <>
      <p>{t(isTyped ? "whole" : "kept")}</p>
      <div>
        <Button kind="quiet" size="small" aria-expanded={isTyped} onClick={onSwitch}>
          {t(isTyped ? "as_before" : "own")}
        </Button>
      </div>
    </>
  );
}

function Typed({ contact, said, onType, asksPhone, words }: ContactProps) {
  const { t } = useTranslation("shop");
  return (
    <>
      <div className="checkout-fields">
        <Field
          label={t("checkout.email")}
          hint={t("checkout.email_hint", words)}
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          value={contact.email}
          error={said.isEmailWrong ? t("checkout.email_wrong") : null}
          onChange={({ target }) => onType({ ...contact, email: target.value })}
        />
        <Field
          label={t("checkout.name")}
          autoComplete="name"
          maxLength={200}
          value={contact.name}
          onChange={({ target }) => onType({ ...contact, name: target.value })}
        />
        {asksPhone && (
          <Field
            label={t("checkout.phone")}
            hint={t("checkout.phone_hint")}
            type="tel"
            dir="ltr"
            autoComplete="tel"
            maxLength={PHONE_LENGTH_MAX}
            value={contact.phone}
            error={said.isPhoneWrong ? t("checkout.phone_wrong") : null}
            onChange={({ target }) => onType({ ...contact, phone: target.value })}
          />
        )}
      </div>
      <label className="shop-check">
        <input
          type="checkbox"
          checked={contact.remember}
          onChange={({ target }) => onType({ ...contact, remember: target.checked })}
        />
        {t("checkout.remember")}
      </label>
    </>
  );
}
