// Where films are shown: all cinemas with their screens, and the cities that they are in.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Cinema, City } from "~/api/schema";
import { ButtonLink, EmptyState, Loaded } from "~/design";
import { number } from "~/i18n/format";
import { countryName } from "../merchant/places";
import { type Column, DataTable, PageHead, Panel, usePages } from "../parts";
import { useManagesAll } from "../session";
import { useCities, useScreens } from "./calls";

const REFRESH_MS = 15_000;
const FIRST_CITY = "/console/cinema/cities/new";

const CINEMAS: readonly Column<Cinema>[] = [
  {
    key: "cinema",
    leads: true,
    cell: ({ id, name, address, city }) => (
      <div className="console-name">
        <Link href={`/console/cinema/cinemas/${id}`} className="console-row-link">
          <bdi>{name}</bdi>
        </Link>
        <span className="console-quiet">
          <bdi>{[address, city.name].filter((part) => part !== "").join(", ")}</bdi>
        </span>
      </div>
    ),
  },
  { key: "screens", cell: ({ id }) => <ScreensOf cinema={id} /> },
];

const CITIES: readonly Column<City>[] = [
  {
    key: "city",
    leads: true,
    cell: ({ id, name, country }) => (
      <div className="console-name">
        <Link href={`/console/cinema/cities/${id}`} className="console-row-link">
          <bdi>{name}</bdi>
        </Link>
        <span className="console-quiet">
          <CountryName code={country} />
        </span>
      </div>
    ),
  },
  { key: "zone", cell: ({ time_zone: zone }) => <span dir="ltr">{zone}</span> },
  { key: "currency", cell: ({ currency }) => <span dir="ltr">{currency}</span> },
  { key: "cinemas", numeric: true, cell: ({ cinemas }) => number(cinemas) },
];

export function CinemasPage() {
  const { t } = useTranslation("films");
  const mayManage = useManagesAll();
  const cities = useCities();
  const hasCity = (cities.data ?? []).length > 0;
  return (
    <>
      <PageHead
        title={t("cinemas.title")}
        lead={t("cinemas.lead")}
        back={{ href: "/console/cinema", label: t("films.title") }}
        actions={
          mayManage &&
          hasCity && (
            <>
              <ButtonLink kind="quiet" href={FIRST_CITY}>
                {t("cities.new")}
              </ButtonLink>
              <ButtonLink href="/console/cinema/cinemas/new">{t("cinemas.new")}</ButtonLink>
            </>
          )
        }
      />
      <Loaded of={cities} height="24rem">
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              title={t("cities.none")}
              actions={mayManage && <ButtonLink href={FIRST_CITY}>{t("cities.new")}</ButtonLink>}
            >
              <p>{t("cities.none_text")}</p>
            </EmptyState>
          ) : (
            <>
              <Cinemas />
              <Panel title={t("cities.title")} lead={t("cities.lead")}>
                <DataTable
                  label={t("cities.title")}
                  words="cities_of_cinemas"
                  columns={CITIES}
                  rows={all}
                  rowKey={({ id }) => id}
                  empty={{ title: t("cities.none") }}
                />
              </Panel>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Cinemas() {
  const { t } = useTranslation("films");
  const cinemas = usePages("/v1/cinema/cinemas", { query: { limit: 50 } }, REFRESH_MS);
  return (
    <DataTable
      label={t("cinemas.title")}
      words="cinemas"
      columns={CINEMAS}
      {...cinemas}
      rowKey={({ id }) => id}
      empty={{ title: t("cinemas.none"), text: t("cinemas.none_text") }}
    />
  );
}

/** Each of them with its seats. All screens are read once for all cinemas. */
function ScreensOf({ cinema }: { cinema: string }) {
  const { t } = useTranslation("films");
  const screens = useScreens().data?.filter((one) => one.cinema.id === cinema) ?? [];
  if (screens.length === 0) return <>–</>;
  return (
    <ul role="list" className="programme-acts">
      {screens.map(({ id, name, seats }) => (
        <li key={id}>
          <Link href={`/console/cinema/screens/${id}`} className="programme-link">
            {t("screens.with_seats", { name, seats: number(seats) })}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function CountryName({ code }: { code: string }) {
  const { i18n } = useTranslation();
  return <>{countryName(code, i18n.language)}</>;
}
