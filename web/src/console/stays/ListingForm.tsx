// The form of a listing, new or known, in panels.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/design";
import { Panel } from "../parts";
import { Refused } from "../programme/Refused";
import { AboutFields, PriceFields, RoomFields } from "./ListingFields";
import { type ListingDraft, listingFaults } from "./listingDraft";
import { RateFields } from "./RateFields";

type Props = {
  begin: ListingDraft;
  isNew: boolean;
  busy: boolean;
  error: unknown;
  onChange: () => void;
  onSubmit: (draft: ListingDraft) => void;
};

export function ListingForm({ begin, isNew, busy, error, onChange, onSubmit }: Props) {
  const { t } = useTranslation("stays");
  const [draft, setDraft] = useState(begin);
  const [isTried, setTried] = useState(false);
  const all = listingFaults(draft);
  const faults = isTried ? all : [];
  const change = (part: Partial<ListingDraft>) => {
    onChange();
    setDraft((before) => ({ ...before, ...part }));
  };
  const fields = { draft, faults, isNew, onChange: change };
  return (
    <form
      className="programme-page-form"
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        setTried(true);
        if (!busy && all.length === 0) onSubmit(draft);
      }}
    >
      <Panel title={t("listing.room")}>
        <RoomFields {...fields} />
      </Panel>
      <Panel title={t("listing.selling")} lead={t("listing.selling_lead")}>
        <PriceFields {...fields} />
      </Panel>
      <Panel title={t("rates.title")} lead={t("rates.lead")}>
        <RateFields {...fields} />
      </Panel>
      <Panel title={t("listing.about")}>
        <AboutFields {...fields} />
        {faults.length > 0 && (
          <p className="field-error" role="alert">
            {t("faults")}
          </p>
        )}
        <Refused error={error} />
        <div className="console-actions">
          <Button type="submit" busy={busy}>
            {t(isNew ? "listing.make" : "save")}
          </Button>
        </div>
      </Panel>
    </form>
  );
}
