// Suggested prices of a listing: the rule that bounds them, and the nights.
import { useTranslation } from "react-i18next";
import { Loaded } from "~/design";
import { PageHead } from "../parts";
import { useListing, useSuggestedPrices } from "./calls";
import { PriceNights } from "./PriceNights";
import { PriceRuleForm } from "./PriceRuleForm";

export function PricesPage({ id }: { id: string }) {
  const { t } = useTranslation("stays");
  const listing = useListing(id);
  const found = useSuggestedPrices(id);
  return (
    <>
      <PageHead
        title={t("prices.title")}
        back={{
          href: `/console/stays/listings/${id}`,
          label: listing.data?.name ?? t("listing.one"),
        }}
        lead={t("prices.lead")}
      />
      <Loaded of={found} height="24rem">
        {(prices) => (
          <div className="console-stack">
            <PriceRuleForm
              // What another page or take-back changed of it begins the form anew.
              key={JSON.stringify(prices.rule)}
              found={prices}
              usual={prices.items[0]?.usual ?? 0}
            />
            <PriceNights found={prices} />
          </div>
        )}
      </Loaded>
    </>
  );
}
