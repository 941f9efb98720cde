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
              // A take-back on this page begins the form anew; what others change is told when one saves.
              key={prices.rule?.applied}
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
