// One city: what of it can be changed.
import { useTranslation } from "react-i18next";
import type { City, CityChange } from "~/api/schema";
import { ButtonLink, Loaded, useToast } from "~/design";
import { PageHead } from "../parts";
import { Refused } from "../programme/Refused";
import { useChange } from "../saving/useChange";
import { api, useManagesAll } from "../session";
import { CINEMA, cityKey, readCity, SCREENS_PAGE, useCity } from "./calls";
import { cityChange, cityDraft, cityOwn } from "./cityDraft";
import { CityForm } from "./CityForm";

export function CityPage({ id }: { id: string }) {
  const { t } = useTranslation("films");
  const found = useCity(id);
  const mayManage = useManagesAll();
  const city = found.data;
  return (
    <>
      <PageHead
        title={city?.name ?? t("city.one")}
        lead={city && t("city.sells", { zone: city.time_zone, currency: city.currency })}
        back={{ href: SCREENS_PAGE, label: t("cinemas.title") }}
        actions={
          mayManage && (
            <ButtonLink href={`/console/cinema/cinemas/new?city=${id}`}>
              {t("cinemas.new")}
            </ButtonLink>
          )
        }
      />
      <Loaded of={found} height="16rem">
        {(of) => mayManage && <ChangeForm city={of} />}
      </Loaded>
    </>
  );
}

function ChangeForm({ city }: { city: City }) {
  const { t } = useTranslation("films");
  const tell = useToast();
  const { began, edition, busy, error, ...form } = useChange(city, {
    stale: CINEMA,
    key: cityKey(city.id),
    read: () => readCity(city.id),
    send: (body: CityChange) =>
      api.PATCH("/v1/cinema/cities/{city_id}", { path: { city_id: city.id }, body }),
    own: cityOwn,
    changeOf: cityChange,
  });
  return (
    <CityForm
      begin={cityDraft(began)}
      edition={edition}
      isNew={false}
      busy={busy}
      refused={<Refused error={error} onAnew={form.loadTheirs} />}
      onSubmit={(draft) => {
        if (form.isUnchanged(draft)) return tell(t("unchanged"));
        void form.change(draft, () => tell(t("saved")));
      }}
    />
  );
}
