// The fields of a venue, new or known.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Venue } from "~/api/schema";
import { Field, TextArea } from "~/design";
import { CountrySelect, ZoneField } from "../merchant/PlaceFields";
import { FormPanel } from "../parts";
import { api } from "../session";
import { Refused } from "./Refused";
import { TranslationFields } from "./TranslationFields";
import { useBegun } from "../saving/useBegun";
import { PROGRAMME } from "./calls";
import { useSave } from "../saving/useSave";
import { venueChange, venueDraft, type VenueDraft, venueOf } from "./venueDraft";

type Props = { venue: Venue | null; begin: VenueDraft; onSaved: (saved: Venue) => void };
type TextField = Exclude<keyof VenueDraft, "translated">;

export function VenueForm({ venue, begin, onSaved }: Props) {
  const { t } = useTranslation("programme");
  const { began, draft, change: put, beginAnew } = useBegun(venue, () => begin);
  const [isTried, setTried] = useState(false);
  const { busy, error, save, renew } = useSave(PROGRAMME);
  const change = (part: Partial<VenueDraft>) => {
    renew();
    put(part);
  };
  const isEmpty = (name: "name" | "zone") => draft[name].trim() === "";
  const text = (name: TextField) => ({
    label: t(`venue.${name}`),
    value: draft[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  const wrong = (name: "name" | "zone") =>
    isTried && isEmpty(name) ? t(`venue.wrong.${name}`) : null;
  const submit = () => {
    setTried(true);
    if (isEmpty("name") || isEmpty("zone")) return;
    void save(
      (key) =>
        venue === null || began === null
          ? api.POST("/v1/programme/venues", { body: venueOf(draft, null), key })
          : api.PATCH("/v1/programme/venues/{venue_id}", {
              path: { venue_id: venue.id },
              body: venueChange(began, draft, venue),
            }),
      (saved) => {
        if (venue !== null) beginAnew(saved, venueDraft(saved));
        onSaved(saved);
      },
    );
  };
  return (
    <FormPanel
      title={t("venue.about")}
      verb={t(venue === null ? "venue.make" : "save")}
      busy={busy}
      refused={<Refused error={error} />}
      onSubmit={submit}
    >
      <Field {...text("name")} error={wrong("name")} maxLength={200} dir="auto" />
      <Field {...text("address")} hint={t("venue.address_hint")} maxLength={300} dir="auto" />
      <div className="programme-pair">
        <Field {...text("city")} maxLength={100} dir="auto" />
        <CountrySelect {...text("country")} notSaid={t("venue.not_said")} />
      </div>
      <ZoneField {...text("zone")} error={wrong("zone")} hint={t("venue.zone_hint")} />
      <TextArea
        {...text("accessibility")}
        hint={t("venue.accessibility_hint")}
        rows={3}
        maxLength={2000}
        dir="auto"
      />
      <Field {...text("website")} type="url" dir="ltr" placeholder="https://" maxLength={500} />
      <TranslationFields
        value={draft.translated}
        onChange={(translated) => change({ translated })}
        fields={[
          { field: "name", label: t("venue.name"), max: 200 },
          { field: "accessibility", label: t("venue.accessibility"), max: 2000, rows: 3 },
        ]}
      />
    </FormPanel>
  );
}
