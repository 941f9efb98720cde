// The fields of a listing: what one books, how many there are, and how it is sold.
import { useTranslation } from "react-i18next";
import { Field, TextArea } from "~/design";
import { RadioGroup } from "../parts";
import { PaymentSelect } from "../programme/PaymentSelect";
import { TermsFields } from "../programme/TermsFields";
import { TranslationFields } from "../programme/TranslationFields";
import { readAmount } from "../programme/amounts";
import { Amenities } from "./Amenities";
import { BEDS, type ListingDraft } from "./listingDraft";
import { RuleFields } from "./RuleFields";

export type ListingFieldsProps = {
  draft: ListingDraft;
  faults: readonly string[];
  /** A listing that is there keeps its currency. */
  isNew: boolean;
  onChange: (part: Partial<ListingDraft>) => void;
};
type TextField = Exclude<
  keyof ListingDraft,
  | "roomsAre"
  | "payment"
  | "rules"
  | "rates"
  | "discounts"
  | "guestPrices"
  | "terms"
  | "beds"
  | "amenities"
  | "translated"
>;

function useText({ draft, faults, onChange }: ListingFieldsProps) {
  const { t } = useTranslation("stays");
  return (name: TextField) => ({
    label: t(`listing.${name}`, { currency: draft.currency.trim().toUpperCase() }),
    value: draft[name],
    error: faults.includes(name) ? t(`listing.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
}

export function RoomFields(props: ListingFieldsProps) {
  const { draft, onChange } = props;
  const { t } = useTranslation("stays");
  const text = useText(props);
  return (
    <>
      <Field {...text("name")} hint={t("listing.name_hint")} maxLength={100} dir="auto" />
      <RadioGroup
        label={t("listing.roomsAre")}
        value={draft.roomsAre}
        onChange={(roomsAre) => onChange({ roomsAre })}
        choices={(["counted", "named"] as const).map((value) => ({
          value,
          title: t(`listing.rooms_are.${value}`),
          text: t(`listing.rooms_are_text.${value}`),
        }))}
      />
      {draft.roomsAre === "counted" ? (
        <Field {...text("count")} inputMode="numeric" maxLength={7} dir="ltr" />
      ) : (
        <TextArea {...text("rooms")} hint={t("listing.rooms_hint")} rows={4} dir="auto" />
      )}
      <div className="programme-pair">
        <Field {...text("guests")} inputMode="numeric" maxLength={2} dir="ltr" />
        <Field {...text("squareMetres")} inputMode="numeric" maxLength={5} dir="ltr" />
      </div>
      <Beds {...props} />
    </>
  );
}

function Beds({ draft, faults, onChange }: ListingFieldsProps) {
  const { t } = useTranslation("stays");
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("listing.beds")}</legend>
      <div className="stays-rule-fields">
        {BEDS.map((kind) => (
          <Field
            key={kind}
            label={t(`listing.bed.${kind}`)}
            value={draft.beds[kind]}
            hint={kind === "cot" ? t("listing.cot_hint") : undefined}
            error={faults.includes(`beds.${kind}`) ? t("listing.wrong.beds") : null}
            inputMode="numeric"
            maxLength={2}
            dir="ltr"
            onChange={({ target }) => onChange({ beds: { ...draft.beds, [kind]: target.value } })}
          />
        ))}
      </div>
    </fieldset>
  );
}

export function PriceFields(props: ListingFieldsProps) {
  const { draft, faults, isNew, onChange } = props;
  const { t } = useTranslation("stays");
  const text = useText(props);
  const isFree = readAmount(draft.price, draft.currency) === 0;
  return (
    <>
      <div className="programme-pair">
        {isNew && <Field {...text("currency")} maxLength={3} dir="ltr" />}
        <Field {...text("price")} inputMode="decimal" maxLength={16} dir="ltr" />
      </div>
      {!isFree && (
        <PaymentSelect value={draft.payment} onChange={(payment) => onChange({ payment })} />
      )}
      <div className="programme-pair">
        <Field {...text("minNights")} inputMode="numeric" maxLength={3} dir="ltr" />
        <Field
          {...text("maxNights")}
          hint={t("listing.maxNights_hint")}
          inputMode="numeric"
          maxLength={3}
          dir="ltr"
        />
      </div>
      <RuleFields
        rules={draft.rules}
        currency={draft.currency.trim().toUpperCase()}
        faults={faults}
        onChange={(rules) => onChange({ rules })}
      />
      <TermsFields
        draft={draft.terms}
        currency={draft.currency}
        isFree={isFree}
        faults={faults}
        hasGuests
        onChange={(terms) => onChange({ terms })}
      />
    </>
  );
}

export function AboutFields(props: ListingFieldsProps) {
  const { draft, onChange } = props;
  const { t } = useTranslation("stays");
  const text = useText(props);
  return (
    <>
      <Field {...text("summary")} hint={t("property.summary_hint")} maxLength={300} dir="auto" />
      <TextArea {...text("description")} rows={5} maxLength={8000} dir="auto" />
      <Amenities
        label={t("listing.amenities")}
        value={draft.amenities}
        onChange={(amenities) => onChange({ amenities })}
      />
      <Field {...text("reference")} hint={t("reference_hint")} maxLength={60} dir="ltr" />
      <TranslationFields
        value={draft.translated}
        onChange={(translated) => onChange({ translated })}
        fields={[
          { field: "name", label: t("listing.name"), max: 100 },
          { field: "summary", label: t("listing.summary"), max: 300 },
          { field: "description", label: t("listing.description"), max: 4000, rows: 4 },
        ]}
      />
    </>
  );
}
