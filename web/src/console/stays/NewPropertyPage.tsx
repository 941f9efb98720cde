// A new property, in the merchant's country and by its clocks. What is let in it comes next.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Loaded, useToast } from "~/design";
import { PageHead } from "../parts";
import { useMerchant } from "../useMerchant";
import { newPropertyDraft } from "./propertyDraft";
import { PropertyForm } from "./PropertyForm";

export function NewPropertyPage() {
  const { t } = useTranslation("stays");
  const [, go] = useLocation();
  const tell = useToast();
  const merchant = useMerchant();
  return (
    <>
      <PageHead
        title={t("properties.new")}
        lead={t("properties.new_lead")}
        back={{ href: "/console/stays", label: t("properties.title") }}
      />
      <Loaded of={merchant} height="24rem">
        {(found) => (
          <PropertyForm
            property={null}
            begin={newPropertyDraft(found)}
            onSaved={({ id }) => {
              tell(t("property.made"));
              go(`/console/stays/${id}`, { replace: true });
            }}
          />
        )}
      </Loaded>
    </>
  );
}
