// A new city, in the merchant's country, by its clocks and in its currency. A cinema comes next.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Loaded, useToast } from "~/design";
import { PageHead } from "../parts";
import { Refused } from "../programme/Refused";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { useMerchant } from "../useMerchant";
import { CINEMA, SCREENS_PAGE } from "./calls";
import { newCity, newCityDraft } from "./cityDraft";
import { CityForm } from "./CityForm";

export function NewCityPage() {
  const { t } = useTranslation("films");
  const [, go] = useLocation();
  const tell = useToast();
  const merchant = useMerchant();
  const { busy, error, save, renew } = useSave(CINEMA);
  return (
    <>
      <PageHead
        title={t("cities.new")}
        lead={t("cities.new_lead")}
        back={{ href: SCREENS_PAGE, label: t("cinemas.title") }}
      />
      <Loaded of={merchant} height="24rem">
        {(of) => (
          <CityForm
            begin={newCityDraft(of)}
            isNew
            busy={busy}
            refused={<Refused error={error} />}
            onChange={renew}
            onSubmit={(draft) =>
              void save(
                (key) => api.POST("/v1/cinema/cities", { body: newCity(draft), key }),
                ({ id }) => {
                  tell(t("city.made"));
                  go(`/console/cinema/cinemas/new?city=${id}`, { replace: true });
                },
              )
            }
          />
        )}
      </Loaded>
    </>
  );
}
