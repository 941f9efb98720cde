// The fields of a property, new or known.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Property } from "~/api/schema";
import { Field, Select, TextArea } from "~/design";
import { KINDS } from "~/shop/stays/words";
import { CountrySelect, ZoneField } from "../merchant/PlaceFields";
import { FormPanel } from "../parts";
import { Refused } from "../programme/Refused";
import { TranslationFields } from "../programme/TranslationFields";
import { useBegun } from "../saving/useBegun";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { Amenities } from "./Amenities";
import { STAYS } from "./calls";
import {
  propertyChange,
  propertyDraft,
  type PropertyDraft,
  propertyFaults,
  propertyOf,
} from "./propertyDraft";

type Props = {
  property: Property | null;
  begin: PropertyDraft;
  onSaved: (saved: Property) => void;
};
type TextField = Exclude<keyof PropertyDraft, "kind" | "amenities" | "translated">;
type FieldsProps = {
  draft: PropertyDraft;
  faults: readonly string[];
  onChange: (part: Partial<PropertyDraft>) => void;
};

const STARS = ["1", "2", "3", "4", "5"];

function useText({ draft, faults, onChange }: FieldsProps) {
  const { t } = useTranslation("stays");
  return (name: TextField) => ({
    label: t(`property.${name}`),
    value: draft[name],
    error: faults.includes(name) ? t(`property.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
}

export function PropertyForm({ property, begin, onSaved }: Props) {
  const { t } = useTranslation("stays");
  const { began, draft, change: put, beginAnew } = useBegun(property, () => begin);
  const [isTried, setTried] = useState(false);
  const { busy, error, save, renew } = useSave(STAYS);
  const all = propertyFaults(draft);
  const change = (part: Partial<PropertyDraft>) => {
    renew();
    put(part);
  };
  const fields = { draft, faults: isTried ? all : [], onChange: change };
  const submit = () => {
    setTried(true);
    if (all.length > 0) return;
    void save(
      (key) =>
        property === null || began === null
          ? api.POST("/v1/stays/properties", { body: propertyOf(draft, null), key })
          : api.PATCH("/v1/stays/properties/{property_id}", {
              path: { property_id: property.id },
              body: propertyChange(began, draft, property),
            }),
      (saved) => {
        if (property !== null) beginAnew(saved, propertyDraft(saved));
        onSaved(saved);
      },
    );
  };
  return (
    <FormPanel
      title={t("property.about")}
      verb={t(property === null ? "property.make" : "save")}
      busy={busy}
      fault={fields.faults.length > 0 && t("faults")}
      refused={<Refused error={error} />}
      onSubmit={submit}
    >
      <NameFields {...fields} />
      <PlaceFields {...fields} />
      <StayFields {...fields} />
      <TranslationFields
        value={draft.translated}
        onChange={(translated) => change({ translated })}
        fields={[
          { field: "name", label: t("property.name"), max: 100 },
          { field: "city", label: t("property.city"), max: 100 },
          { field: "summary", label: t("property.summary"), max: 300 },
          { field: "description", label: t("property.description"), max: 4000, rows: 4 },
          { field: "rules", label: t("property.rules"), max: 2000, rows: 3 },
        ]}
      />
    </FormPanel>
  );
}

function NameFields(props: FieldsProps) {
  const { draft, onChange } = props;
  const { t } = useTranslation("stays");
  const { t: words } = useTranslation("shop_stays");
  const text = useText(props);
  return (
    <>
      <Field {...text("name")} maxLength={100} dir="auto" />
      <div className="programme-pair">
        <Select
          label={t("property.kind")}
          value={draft.kind}
          onChange={({ target }) => {
            const kind = KINDS.find((one) => one === target.value);
            if (kind !== undefined) onChange({ kind });
          }}
        >
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {words(`kinds.${kind}`)}
            </option>
          ))}
        </Select>
        <Select {...text("stars")}>
          <option value="">{t("property.no_stars")}</option>
          {STARS.map((count) => (
            <option key={count} value={count}>
              {t("property.star", { count: Number(count) })}
            </option>
          ))}
        </Select>
      </div>
      <Field {...text("summary")} hint={t("property.summary_hint")} maxLength={300} dir="auto" />
      <TextArea {...text("description")} rows={5} maxLength={8000} dir="auto" />
    </>
  );
}

function PlaceFields(props: FieldsProps) {
  const { t } = useTranslation("stays");
  const text = useText(props);
  return (
    <>
      <Field {...text("address")} maxLength={300} dir="auto" />
      <div className="programme-pair">
        <Field {...text("city")} maxLength={100} dir="auto" />
        <CountrySelect {...text("country")} notSaid={t("property.not_said")} />
        <Field
          {...text("lat")}
          hint={t("property.lat_hint")}
          inputMode="decimal"
          maxLength={20}
          dir="ltr"
        />
        <Field
          {...text("lon")}
          hint={t("property.lon_hint")}
          inputMode="decimal"
          maxLength={20}
          dir="ltr"
        />
      </div>
      <ZoneField {...text("zone")} hint={t("property.zone_hint")} />
    </>
  );
}

function StayFields(props: FieldsProps) {
  const { draft, onChange } = props;
  const { t } = useTranslation("stays");
  const text = useText(props);
  return (
    <>
      <div className="programme-pair">
        <Field {...text("checkIn")} type="time" />
        <Field {...text("checkOut")} type="time" />
      </div>
      <TextArea {...text("rules")} rows={3} maxLength={2000} dir="auto" />
      <Amenities
        label={t("property.amenities")}
        value={draft.amenities}
        onChange={(amenities) => onChange({ amenities })}
      />
      <div className="programme-pair">
        <Field
          {...text("languages")}
          hint={t("property.languages_hint")}
          maxLength={200}
          dir="ltr"
        />
        <Field {...text("website")} type="url" dir="ltr" placeholder="https://" maxLength={500} />
        <Field
          {...text("rating")}
          hint={t("property.rating_hint")}
          inputMode="decimal"
          maxLength={5}
          dir="ltr"
        />
        <Field {...text("ratings")} inputMode="numeric" maxLength={7} dir="ltr" />
        <Field
          {...text("ratingSource")}
          hint={t("property.ratingSource_hint")}
          maxLength={100}
          dir="auto"
        />
        <Field {...text("reference")} hint={t("reference_hint")} maxLength={60} dir="ltr" />
      </div>
    </>
  );
}
