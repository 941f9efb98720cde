// A new cinema in a city. Its screens come next.
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import type { City } from "~/api/schema";
import { ButtonLink, EmptyState, Loaded, useToast } from "~/design";
import { PageHead } from "../parts";
import { Refused } from "../programme/Refused";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { CINEMA, SCREENS_PAGE, useCities } from "./calls";
import { newCinema, newCinemaDraft } from "./cinemaDraft";
import { CinemaForm } from "./CinemaForm";

/** A city is not chosen for who has several. */
const onlyOf = (cities: readonly City[]) => (cities.length === 1 ? cities[0]?.id : undefined) ?? "";

/** Empty, where none is chosen yet. */
const currencyIn = (cities: readonly City[], city: string) =>
  cities.find(({ id }) => id === city)?.currency ?? "";

export function NewCinemaPage() {
  const { t } = useTranslation("films");
  const [, go] = useLocation();
  const tell = useToast();
  const wanted = new URLSearchParams(useSearch()).get("city");
  const cities = useCities();
  const { busy, error, save, renew } = useSave(CINEMA);
  return (
    <>
      <PageHead
        title={t("cinemas.new")}
        lead={t("cinemas.new_lead")}
        back={{ href: SCREENS_PAGE, label: t("cinemas.title") }}
      />
      <Loaded of={cities} height="24rem">
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              title={t("cities.none")}
              actions={<ButtonLink href="/console/cinema/cities/new">{t("cities.new")}</ButtonLink>}
            >
              <p>{t("cities.none_text")}</p>
            </EmptyState>
          ) : (
            <CinemaForm
              begin={newCinemaDraft(wanted ?? onlyOf(all))}
              cities={all}
              currencyOf={(city) => currencyIn(all, city)}
              busy={busy}
              refused={<Refused error={error} />}
              onChange={renew}
              onSubmit={(draft) =>
                void save(
                  (key) =>
                    api.POST("/v1/cinema/cinemas", {
                      body: newCinema(draft, currencyIn(all, draft.city)),
                      key,
                    }),
                  ({ id }) => {
                    tell(t("cinema.made"));
                    go(`/console/cinema/cinemas/${id}`, { replace: true });
                  },
                )
              }
            />
          )
        }
      </Loaded>
    </>
  );
}
