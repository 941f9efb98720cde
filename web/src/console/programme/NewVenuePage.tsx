// A new venue, in the merchant's country and by its clocks. Its halls come next.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Loaded, useToast } from "~/design";
import { PageHead } from "../parts";
import { useMerchant } from "../useMerchant";
import { newVenueDraft } from "./venueDraft";
import { VenueForm } from "./VenueForm";

export function NewVenuePage() {
  const { t } = useTranslation("programme");
  const [, go] = useLocation();
  const tell = useToast();
  const merchant = useMerchant();
  return (
    <>
      <PageHead
        title={t("venues.new")}
        lead={t("venues.new_lead")}
        back={{ href: "/console/programme/venues", label: t("venues.title") }}
      />
      <Loaded of={merchant} height="24rem">
        {(found) => (
          <VenueForm
            venue={null}
            begin={newVenueDraft(found)}
            onSaved={({ id }) => {
              tell(t("venue.made"));
              go(`/console/programme/venues/${id}`, { replace: true });
            }}
          />
        )}
      </Loaded>
    </>
  );
}
