// A new listing of a property: a draft, until it is published.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Loaded, useToast } from "~/design";
import { PageHead } from "../parts";
import { Refused } from "../programme/Refused";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { useMerchant } from "../useMerchant";
import { STAYS, useProperty } from "./calls";
import { newListing, newListingDraft } from "./listingDraft";
import { ListingForm } from "./ListingForm";

export function NewListingPage({ property }: { property: string }) {
  const { t } = useTranslation("stays");
  const [, go] = useLocation();
  const tell = useToast();
  const house = useProperty(property);
  const merchant = useMerchant();
  const { busy, error, save, renew } = useSave(STAYS);
  return (
    <>
      <PageHead
        title={t("listings.new")}
        lead={t("listings.new_lead")}
        back={{
          href: `/console/stays/${property}`,
          label: house.data?.name ?? t("property.one"),
        }}
      />
      <Loaded of={merchant} height="24rem">
        {(found) => (
          <ListingForm
            begin={newListingDraft(found.currency ?? "")}
            isNew
            busy={busy}
            refused={<Refused error={error} />}
            onChange={renew}
            onSubmit={(draft) =>
              void save(
                (key) => api.POST("/v1/listings", { body: newListing(property, draft), key }),
                ({ id }) => {
                  tell(t("listing.made"));
                  go(`/console/stays/listings/${id}`, { replace: true });
                },
              )
            }
          />
        )}
      </Loaded>
    </>
  );
}
