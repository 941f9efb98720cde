// The form of a listing, new or known, in panels.
import { useTranslation } from "react-i18next";
import { Button } from "~/design";
import { Panel } from "../parts";
import { Refused } from "../programme/Refused";
import { useDraft } from "../saving/useDraft";
import { AboutFields, PriceFields, RoomFields } from "./ListingFields";
import { type ListingDraft, listingFaults } from "./listingDraft";
import { RateFields } from "./RateFields";

type Props = {
  begin: ListingDraft;
  isNew: boolean;
  busy: boolean;
  error: unknown;
  /** How often a known one began: with another number, it begins anew. */
  edition?: number;
  onChange?: () => void;
  /** Lets go of what was typed, for what others have saved. */
  onAnew?: () => void;
  onSubmit: (draft: ListingDraft) => void;
};

export function ListingForm(props: Props) {
  const { begin, isNew, busy, error, edition, onChange, onAnew, onSubmit } = props;
  const { t } = useTranslation("stays");
  const { draft, faults, change: put, attempt } = useDraft(begin, listingFaults, edition);
  const change = (part: Partial<ListingDraft>) => {
    onChange?.();
    put(part);
  };
  const fields = { draft, faults, isNew, onChange: change };
  return (
    <form
      className="programme-page-form"
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        if (attempt() && !busy) onSubmit(draft);
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
        <Refused error={error} onAnew={onAnew} />
        <div className="console-actions">
          <Button type="submit" busy={busy}>
            {t(isNew ? "listing.make" : "save")}
          </Button>
        </div>
      </Panel>
    </form>
  );
}
