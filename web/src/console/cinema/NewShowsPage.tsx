// New shows of a film: in which screen, on which days and at what times, and at what prices. All are
// listed before they are made, and any can be left out; each that is refused says why.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Screen } from "~/api/schema";
import { Button, ButtonLink, EmptyState, Loaded, Select } from "~/design";
import { Form, PageHead, Panel } from "../parts";
import { PaymentSelect } from "../programme/PaymentSelect";
import { api } from "../session";
import { CINEMA, SCREENS_PAGE, SHOWS_PATH, useFilm, useScreen, useScreens } from "./calls";
import { type Outcome, Outcomes, TimesList } from "./ShowTimes";
import { screenCategories } from "./categories";
import { PriceFields } from "./PriceFields";
import { ShowFields } from "./ShowFields";
import { NEW_SHOWS, newShow, type ShowDraft, showFaults, showTimes } from "./showDraft";

export function NewShowsPage({ film }: { film: string }) {
  const { t } = useTranslation("films");
  const found = useFilm(film);
  const screens = useScreens();
  const title = found.data?.title ?? t("film.one");
  return (
    <>
      <PageHead
        title={t("shows.add")}
        lead={found.data?.title}
        back={{ href: `/console/cinema/films/${film}`, label: title }}
      />
      <Loaded of={screens} height="24rem">
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              title={t("shows.no_screen")}
              actions={
                <>
                  <ButtonLink href={SCREENS_PAGE}>{t("shows.to_screens")}</ButtonLink>
                  <ButtonLink kind="quiet" href="/console/import">
                    {t("shows.to_import")}
                  </ButtonLink>
                </>
              }
            >
              <p>{t("shows.no_screen_text")}</p>
            </EmptyState>
          ) : (
            <NewShows film={film} screens={all} />
          )
        }
      </Loaded>
    </>
  );
}

function NewShows({ film, screens }: { film: string; screens: readonly Screen[] }) {
  const { t } = useTranslation("films");
  const queries = useQueryClient();
  const [draft, setDraft] = useState<ShowDraft>(NEW_SHOWS);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const chosen = useScreen(draft.screen);
  const currency = chosen.data?.currency ?? "";
  const plan = chosen.data?.screen.plan ?? null;
  const categories = plan === null ? [] : screenCategories(plan, currency);
  const times = showTimes(draft).filter((time) => !left.has(time));
  // Its prices are not known yet: what is pressed now could not be made, and would be lost.
  const isMissing = draft.screen !== "" && plan === null;
  const all = showFaults(draft, categories, currency);
  const faults = isTried ? all : [];
  const change = (part: Partial<ShowDraft>) => {
    setOutcomes([]);
    setDraft((before) => ({ ...before, ...part }));
  };
  const make = async () => {
    setBusy(true);
    const done: Outcome[] = [];
    for (const time of times) {
      const body = newShow(film, draft, categories, currency, time);
      try {
        // One after the other: each has its own answer, and what is refused keeps none from being made.
        // eslint-disable-next-line no-await-in-loop
        const show = await api.POST(SHOWS_PATH, { body });
        done.push({ time, show });
      } catch (error) {
        done.push({ time, error });
      }
      setOutcomes([...done]);
    }
    void queries.invalidateQueries({ queryKey: CINEMA });
    void queries.invalidateQueries({ queryKey: ["pages"] });
    setBusy(false);
  };
  const submit = () => {
    setTried(true);
    if (!isMissing && all.length === 0 && times.length > 0) void make();
  };
  return (
    <Form className="programme-page-form" busy={busy} onSubmit={submit}>
      <Panel title={t("shows.when")}>
        <Select
          label={t("show.screen")}
          value={draft.screen}
          disabled={busy}
          error={faults.includes("screen") ? t("show.wrong.screen") : null}
          onChange={({ target }) => change({ screen: target.value, prices: {} })}
        >
          <option value="">{t("show.choose")}</option>
          {screens.map(({ id, name, cinema, seats }) => (
            <option key={id} value={id}>
              {t("show.screen_of", { cinema: cinema.name, name, count: seats })}
            </option>
          ))}
        </Select>
        <ShowFields
          draft={draft}
          zone={chosen.data?.zone ?? ""}
          faults={faults}
          busy={busy}
          onChange={change}
        />
      </Panel>
      {draft.screen !== "" && (
        <Loaded of={chosen} height="14rem">
          {() => (
            <Panel title={t("show.prices")}>
              <PriceFields
                prices={draft.prices}
                categories={categories}
                currency={currency}
                faults={faults}
                busy={busy}
                onChange={(prices) => change({ prices })}
              />
              <PaymentSelect
                value={draft.payment}
                disabled={busy}
                onChange={(payment) => change({ payment })}
              />
            </Panel>
          )}
        </Loaded>
      )}
      <Panel title={t("shows.making")} lead={t("shows.making_lead")}>
        <TimesList
          times={showTimes(draft)}
          left={left}
          busy={busy}
          onLeave={(next) => {
            setOutcomes([]);
            setLeft(next);
          }}
        />
        {faults.length > 0 && (
          <p className="field-error" role="alert">
            {t("faults")}
          </p>
        )}
        <Outcomes of={outcomes} />
        <div className="console-actions">
          <Button type="submit" busy={busy} disabled={times.length === 0 || isMissing}>
            {t("shows.make", { count: times.length })}
          </Button>
        </div>
      </Panel>
    </Form>
  );
}
