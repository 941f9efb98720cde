// A new date of an event: in which hall, when, and at what prices. It begins with the terms of the
// event's latest date, and is a draft until it is published.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { Hall, Performance, Production } from "~/api/schema";
import { ButtonLink, EmptyState, Loaded, Select, useToast } from "~/design";
import { Form, FormEnd, PageHead, Panel } from "../parts";
import { api } from "../session";
import { PROGRAMME, useHalls, useProduction, useVenues } from "./calls";
import { useMerchant } from "../useMerchant";
import { dateFaults, type DateDraft, newDateDraft, newPerformance } from "./dateDraft";
import { PriceFields, SaleFields, TimeFields, WordFields } from "./DateFields";
import { Refused } from "./Refused";
import { useDraft } from "../saving/useDraft";
import { useSave } from "../saving/useSave";

export function NewDatePage({ event: id }: { event: string }) {
  const { t } = useTranslation("programme");
  const event = useProduction(id);
  const halls = useHalls();
  const merchant = useMerchant();
  const like = useLatest(id);
  const title = event.data?.title ?? t("event.one");
  const isReady = merchant.data !== undefined && like.data !== undefined;
  return (
    <>
      <PageHead
        title={t("dates.add")}
        lead={event.data?.title}
        back={{ href: `/console/programme/events/${id}`, label: title }}
      />
      <Loaded of={event} height="24rem">
        {(found) => (
          <Loaded of={halls} height="24rem">
            {(all) =>
              all.length === 0 ? (
                <NoHall />
              ) : (
                isReady && (
                  <NewDate
                    event={found}
                    halls={all}
                    currency={merchant.data.currency ?? ""}
                    like={like.data ?? undefined}
                  />
                )
              )
            }
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

/** The date that the next one is probably like; null where there is none. */
function useLatest(event: string) {
  return useQuery({
    queryKey: [...PROGRAMME, "latest", event],
    queryFn: async () => {
      const page = await api.GET("/v1/programme/performances", {
        query: { production: event, limit: 100 },
      });
      return page.items.at(-1) ?? null;
    },
  });
}

function NoHall() {
  const { t } = useTranslation("programme");
  return (
    <EmptyState
      title={t("dates.no_hall")}
      actions={<ButtonLink href="/console/programme/venues">{t("venues.title")}</ButtonLink>}
    >
      <p>{t("dates.no_hall_text")}</p>
    </EmptyState>
  );
}

type NewDateProps = {
  event: Production;
  halls: readonly Hall[];
  currency: string;
  like: Performance | undefined;
};

function NewDate({ event, halls, currency, like }: NewDateProps) {
  const { t } = useTranslation("programme");
  const tell = useToast();
  const [, go] = useLocation();
  const venues = useVenues();
  const { busy, error, save, renew } = useSave(PROGRAMME);
  const hallOf = (of: DateDraft) => halls.find(({ id }) => id === of.hall);
  const { draft, faults, change, attempt } = useDraft(
    {
      ...newDateDraft(currency, event.minutes, like),
      ...(halls.length === 1 && { hall: halls[0]?.id ?? "" }),
    },
    (of) => dateFaults(of, hallOf(of)?.categories ?? []),
    { onChange: renew },
  );
  const hall = hallOf(draft);
  const zone = venues.data?.find(({ id }) => id === hall?.venue.id)?.time_zone ?? null;
  const categories = hall?.categories ?? [];
  const submit = () => {
    if (!attempt()) return;
    const body = newPerformance(event.id, draft, categories, like);
    void save(
      (key) => api.POST("/v1/programme/performances", { body, key }),
      ({ id }) => {
        tell(t("date.made"));
        go(`/console/programme/dates/${id}`, { replace: true });
      },
    );
  };
  const fields = { draft, categories, zone, faults, isNew: true, onChange: change };
  return (
    <Form className="programme-page-form" busy={busy} onSubmit={submit}>
      <Panel title={t("date.when")} lead={like && t("date.like")}>
        <HallChoice
          halls={halls}
          chosen={draft.hall}
          error={faults.includes("hall") ? t("date.wrong.hall") : null}
          onChoose={(id) => change({ hall: id })}
        />
        <TimeFields {...fields} />
      </Panel>
      <Panel title={t("date.prices")}>
        <PriceFields {...fields} />
      </Panel>
      <Panel title={t("date.selling")}>
        <SaleFields {...fields} />
        <WordFields draft={draft} onChange={change} />
        <FormEnd
          verb={t("date.make")}
          busy={busy}
          fault={faults.length > 0 && t("date.faults")}
          refused={<Refused error={error} />}
        />
      </Panel>
    </Form>
  );
}

type ChoiceProps = {
  halls: readonly Hall[];
  chosen: string;
  error: string | null;
  onChoose: (hall: string) => void;
};

function HallChoice({ halls, chosen, error, onChoose }: ChoiceProps) {
  const { t } = useTranslation("programme");
  const venues = new Map(halls.map(({ venue }) => [venue.id, venue.name]));
  return (
    <Select
      label={t("date.hall")}
      value={chosen}
      error={error}
      onChange={({ target }) => onChoose(target.value)}
    >
      <option value="">{t("date.choose_hall")}</option>
      {[...venues].map(([id, name]) => (
        <optgroup key={id} label={name}>
          {halls
            .filter(({ venue }) => venue.id === id)
            .map((hall) => (
              <option key={hall.id} value={hall.id}>
                {t("halls.with_capacity", { name: hall.name, count: hall.capacity })}
              </option>
            ))}
        </optgroup>
      ))}
    </Select>
  );
}
