// One cinema: its screens, and what is said of it.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Cinema, CinemaChange, Screen } from "~/api/schema";
import { ButtonLink, EmptyState, Loaded, useToast } from "~/design";
import { comma } from "~/i18n/format";
import { PageHead, Panel } from "../parts";
import { Refused } from "../programme/Refused";
import { useChange } from "../saving/useChange";
import { api, useManagesAll } from "../session";
import {
  CINEMA,
  cinemaKey,
  readCinema,
  SCREENS_PAGE,
  useCinema,
  useCurrency,
  useScreens,
} from "./calls";
import { cinemaChange, type CinemaDraft, cinemaDraft, cinemaOwn } from "./cinemaDraft";
import { CinemaForm } from "./CinemaForm";

export function CinemaPage({ id }: { id: string }) {
  const { t } = useTranslation("films");
  const found = useCinema(id);
  const mayManage = useManagesAll();
  return (
    <>
      <PageHead
        title={found.data?.name ?? t("cinema.one")}
        lead={found.data?.city.name}
        back={{ href: SCREENS_PAGE, label: t("cinemas.title") }}
        actions={
          mayManage && (
            <ButtonLink href={`/console/cinema/cinemas/${id}/new-screen`}>
              {t("screens.new")}
            </ButtonLink>
          )
        }
      />
      <Loaded of={found} height="24rem">
        {(cinema) => (
          <>
            <Screens cinema={cinema} />
            {mayManage && <ChangePanel cinema={cinema} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Screens({ cinema }: { cinema: Cinema }) {
  const { t } = useTranslation("films");
  const screens = useScreens(cinema.id);
  return (
    <Panel title={t("screens.title")} lead={t("screens.lead")}>
      <Loaded of={screens} height="6rem">
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={t("screens.none")}>
              <p>{t("screens.none_text")}</p>
            </EmptyState>
          ) : (
            <ul role="list" className="programme-halls">
              {all.map((screen) => (
                <li key={screen.id}>
                  <ScreenCard screen={screen} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function ScreenCard({ screen: { id, name, seats, features } }: { screen: Screen }) {
  const { t } = useTranslation("films");
  return (
    <Link href={`/console/cinema/screens/${id}`} className="programme-hall">
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span>{t("screens.seats", { count: seats })}</span>
      {features.length > 0 && <span className="console-quiet">{features.join(comma())}</span>}
    </Link>
  );
}

function ChangePanel({ cinema }: { cinema: Cinema }) {
  const found = useCurrency(cinema.city.id);
  return (
    <Loaded of={found} height="24rem">
      {(currency) => <ChangeForm cinema={cinema} currency={currency} />}
    </Loaded>
  );
}

function ChangeForm({ cinema, currency }: { cinema: Cinema; currency: string }) {
  const { t } = useTranslation("films");
  const tell = useToast();
  const { began, edition, busy, error, ...form } = useChange(cinema, {
    stale: CINEMA,
    key: cinemaKey(cinema.id),
    read: () => readCinema(cinema.id),
    send: (body: CinemaChange) =>
      api.PATCH("/v1/cinema/cinemas/{cinema_id}", { path: { cinema_id: cinema.id }, body }),
    own: (of) => cinemaOwn(of, currency),
    changeOf: (before, draft: CinemaDraft, now) => cinemaChange(before, draft, currency, now),
  });
  return (
    <CinemaForm
      begin={cinemaDraft(began, currency)}
      currencyOf={() => currency}
      edition={edition}
      cities={null}
      busy={busy}
      refused={<Refused error={error} onAnew={form.loadTheirs} />}
      onSubmit={(draft) => {
        if (form.isUnchanged(draft)) return tell(t("unchanged"));
        void form.change(draft, () => tell(t("saved")));
      }}
    />
  );
}
