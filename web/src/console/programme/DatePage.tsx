// One date: what guests need before they can buy, what it is, and its changes. What is sold is
// protected: moving it asks first, with how many places that concerns.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { Performance, PerformanceChange } from "~/api/schema";
import { ButtonLink, Loaded, Note, useToast } from "~/design";
import { Act, ActButton, Form, FormEnd, PageHead, Panel, When } from "../parts";
import { MailingsPanel } from "../mailings/MailingsPanel";
import { QuestionsPanel } from "../questions/QuestionsPanel";
import { useResourceOf } from "../resources";
import { api } from "../session";
import { RoomOfShow } from "../waitingRooms/RoomOfShow";
import { DraftPanel } from "../shows/DraftPanel";
import { HideButton } from "../shows/PublishSwitch";
import { PROGRAMME, usePerformance } from "./calls";
import { dateDraft, dateFaults, performanceChange } from "./dateDraft";
import { PriceFields, SaleFields, TimeFields, WordFields } from "./DateFields";
import { Refused } from "./Refused";
import { Published, State } from "./State";
import { useBegun } from "../saving/useBegun";
import { useSave } from "../saving/useSave";

export function DatePage({ id }: { id: string }) {
  const { t } = useTranslation("programme");
  const found = usePerformance(id);
  return (
    <>
      {found.data === undefined && (
        <PageHead
          title={t("date.one")}
          back={{ href: "/console/programme", label: t("events.title") }}
        />
      )}
      <Loaded of={found} height="24rem">
        {(date) => <DateDetails date={date} />}
      </Loaded>
    </>
  );
}

function DateDetails({ date }: { date: Performance }) {
  const { t } = useTranslation("programme");
  const { production } = date;
  const show = useResourceOf(date.id, PROGRAMME);
  const [moves, setMoves] = useState(0);
  return (
    <>
      <PageHead
        title={production.title}
        back={{ href: `/console/programme/events/${production.id}`, label: production.title }}
        lead={
          <span className="console-facts">
            {show === undefined || show.published || date.state === "called_off" ? (
              <State of={date.state} />
            ) : (
              <Published of={show} />
            )}
            <When at={date.starts_at} zone={date.time_zone} />
            <span>
              {date.venue.name}, {date.hall.name}
            </span>
          </span>
        }
        actions={
          <>
            {show?.published && <HideButton show={show} />}
            <ButtonLink kind="quiet" href={`/console/shows/${date.id}`}>
              {t("dates.show")}
            </ButtonLink>
          </>
        }
      />
      {show !== undefined && !show.published && <DraftPanel show={show} />}
      {show?.published && <Note tone="good">{t("date.is_published")}</Note>}
      {date.state === "called_off" ? (
        <Note tone="bad">{t("date.called_off")}</Note>
      ) : (
        <>
          <ChangeForm date={date} onMoved={() => setMoves(moves + 1)} />
          <Questions date={date} />
          <RoomOfShow resource={date.id} />
          <Retire date={date} />
        </>
      )}
      {show?.published && (
        // Who moves it is to tell those who booked: each move begins another form.
        <MailingsPanel
          key={moves}
          resource={date.id}
          proposed={moves > 0 ? { subject: t("date.news"), text: t("date.news_text") } : null}
        />
      )}
    </>
  );
}

function ChangeForm({ date, onMoved }: { date: Performance; onMoved: () => void }) {
  const { t } = useTranslation("programme");
  const tell = useToast();
  const queries = useQueryClient();
  const { began, draft, change, beginAnew } = useBegun(date, () => dateDraft(date));
  const [isTried, setTried] = useState(false);
  const [moving, setMoving] = useState<{ change: PerformanceChange; units: number } | null>(null);
  const { busy, error, save, forget } = useSave(PROGRAMME);
  const all = dateFaults(draft, date.categories);
  const faults = isTried ? all : [];
  const send = (body: PerformanceChange) =>
    api.PATCH("/v1/programme/performances/{performance_id}", {
      path: { performance_id: date.id },
      body,
    });
  const show = (saved: Performance) => {
    beginAnew(saved, dateDraft(saved));
    void queries.invalidateQueries({ queryKey: ["resource", date.id] });
    void queries.invalidateQueries({ queryKey: ["show", date.id] });
    tell(t("saved"));
  };
  const submit = () => {
    setTried(true);
    if (all.length > 0) return;
    const body = performanceChange(began, draft, date);
    if (Object.keys(body).length === 0) return tell(t("date.unchanged"));
    const attempt = async () => {
      try {
        return await send(body);
      } catch (refused) {
        const units = soldOf(refused);
        if (units !== null) setMoving({ change: body, units });
        throw refused;
      }
    };
    void save(attempt, show);
  };
  const fields = {
    draft,
    categories: date.categories,
    zone: date.time_zone,
    faults,
    isNew: false,
    onChange: change,
  };
  return (
    <Form className="programme-page-form" busy={busy} onSubmit={submit}>
      {(date.sold ?? 0) > 0 && <Note>{t("date.sold_note", { count: date.sold ?? 0 })}</Note>}
      <Panel title={t("date.when")}>
        <TimeFields {...fields} />
      </Panel>
      <Panel title={t("date.prices")}>
        <PriceFields {...fields} />
      </Panel>
      <Panel title={t("date.selling")}>
        <SaleFields {...fields} />
        <WordFields draft={draft} onChange={change} />
        <FormEnd
          verb={t("save")}
          busy={busy}
          fault={faults.length > 0 && t("date.faults")}
          refused={<Refused error={error} />}
        />
      </Panel>
      <Act
        open={moving !== null}
        title={t("date.move_title")}
        verb={t("date.move")}
        dangerous
        onClose={() => setMoving(null)}
        act={async () => {
          if (moving === null) return;
          const saved = await send({ ...moving.change, moves_sold: true });
          void queries.invalidateQueries({ queryKey: PROGRAMME });
          forget();
          show(saved);
          onMoved();
        }}
      >
        <p>{t("date.move_text", { count: moving?.units ?? 0 })}</p>
      </Act>
    </Form>
  );
}

function Questions({ date }: { date: Performance }) {
  const queries = useQueryClient();
  return (
    <QuestionsPanel
      resource={date.id}
      asked={{ questions: date.questions ?? [], translations: date.translations ?? [] }}
      save={async (asked) => {
        await api.PATCH("/v1/programme/performances/{performance_id}", {
          path: { performance_id: date.id },
          body: asked,
        });
        void queries.invalidateQueries({ queryKey: ["resource", date.id] });
        await queries.invalidateQueries({ queryKey: PROGRAMME });
      }}
    />
  );
}

/** How many places are sold of what was to move; null where that is not what was refused. */
function soldOf(refused: unknown): number | null {
  if (!(refused instanceof Problem) || refused.code !== "performance_sold") return null;
  const { units } = refused.data;
  return typeof units === "number" ? units : 0;
}

/** Takes a date that nobody has booked out of sale. One that is sold is called off, on its own page. */
function Retire({ date }: { date: Performance }) {
  const { t } = useTranslation("programme");
  const queries = useQueryClient();
  const isSold = (date.sold ?? 0) > 0;
  return (
    <Panel
      className="programme-narrow"
      title={t("retire.title")}
      lead={t(isSold ? "retire.sold" : "retire.text")}
    >
      <div className="console-actions">
        {isSold ? (
          <ButtonLink kind="quiet" size="small" href={`/console/shows/${date.id}`}>
            {t("retire.call_off")}
          </ButtonLink>
        ) : (
          <ActButton
            size="small"
            title={t("retire.ask")}
            verb={t("retire.verb")}
            dangerous
            refetches={PROGRAMME}
            act={async () => {
              await api.PATCH("/v1/programme/performances/{performance_id}", {
                path: { performance_id: date.id },
                body: { published: false, state: "closed" },
              });
              void queries.invalidateQueries({ queryKey: ["resource", date.id] });
              return t("retire.done");
            }}
          >
            <p>{t("retire.ask_text")}</p>
          </ActButton>
        )}
      </div>
    </Panel>
  );
}
