// The form of a listing, new or known, in panels.
import { useTranslation } from "react-i18next";
import { Form, FormEnd, Panel } from "../parts";
import { type DraftForm, useDraft } from "../saving/useDraft";
import { AboutFields, PriceFields, RoomFields } from "./ListingFields";
import { type ListingDraft, listingFaults } from "./listingDraft";
import { RateFields } from "./RateFields";

type Props = DraftForm<ListingDraft> & { isNew: boolean };

export function ListingForm({ isNew, begin, edition, busy, refused, onChange, onSubmit }: Props) {
  const { t } = useTranslation("stays");
  const { draft, faults, change, attempt } = useDraft(begin, listingFaults, {
    edition,
    busy,
    onChange,
  });
  const fields = { draft, faults, isNew, onChange: change };
  return (
    <Form className="programme-page-form" busy={busy} onSubmit={() => attempt() && onSubmit(draft)}>
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
        <FormEnd
          verb={t(isNew ? "listing.make" : "save")}
          busy={busy}
          fault={faults.length > 0 && t("faults")}
          refused={refused}
        />
      </Panel>
    </Form>
  );
}
