// One show: live map and figures, blocks, audit, bookings.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { Loaded } from "~/design";
import { number } from "~/i18n/format";
import { Figure, PageHead, ShowTime, StateBadge } from "../parts";
import { ShowCalendar } from "../calendars/ShowCalendar";
import { MailingsPanel } from "../mailings/MailingsPanel";
import { AuditPanel } from "./AuditPanel";
import { Blocks } from "./Blocks";
import { CallOff, useCancellation } from "./CallOff";
import { DraftPanel } from "./DraftPanel";
import { tally, useLive, type Live } from "./live";
import { LiveLine } from "./LiveLine";
import { MapPanel } from "./MapPanel";
import { HideButton } from "./PublishSwitch";
import { SaleSwitch } from "./SaleSwitch";
import { ShowBookings } from "./ShowBookings";
import { ShowQuestions } from "./ShowQuestions";
import { RoomOfShow } from "../waitingRooms/RoomOfShow";
import { resourceQuery } from "../resources";

/** Events refetch the lists at most this often. */
const CALM_MS = 1500;

export default function ShowPage({ id }: { id: string }) {
  const { t } = useTranslation("console");
  const show = useQuery(resourceQuery(id));
  const back = { href: "/console/shows", label: t("shows.title") };
  return (
    <>
      {show.data === undefined && <PageHead title={t("show.title")} back={back} />}
      <Loaded of={show} height="24rem">
        {(data) => <ShowDetails show={data} back={back} />}
      </Loaded>
    </>
  );
}

function ShowDetails({ show, back }: { show: Resource; back: { href: string; label: string } }) {
  const { t } = useTranslation("console");
  const refresh = useRefreshOnEvents(show.id);
  const { live, line } = useLive(show.id, refresh);
  const { data: calledOff } = useCancellation(show);
  return (
    <>
      <PageHead
        title={show.name}
        back={back}
        lead={
          <span className="console-facts">
            <StateBadge state={calledOff ? "called_off" : show.state} />
            {!show.published && <StateBadge state="unpublished" />}
            <span>{show.kind}</span>
            <ShowTime of={show} />
            <LiveLine line={line} />
          </span>
        }
        actions={
          <>
            {show.published && <HideButton show={show} />}
            {!calledOff && <SaleSwitch show={show} />}
            <CallOff show={show} told={calledOff} />
          </>
        }
      />
      {!show.published && <DraftPanel show={show} />}
      <LiveFigures live={live} />
      <div className="console-columns">
        <MapPanel show={show} live={live} />
        <div className="console-stack-wide">
          <Blocks resource={show.id} />
          <AuditPanel resource={show.id} />
        </div>
      </div>
      <ShowBookings show={show} />
      <ShowQuestions show={show} />
      {!calledOff && <RoomOfShow resource={show.id} />}
      <MailingsPanel resource={show.id} />
      <ShowCalendar resource={show.id} />
      <p className="console-quiet console-id">
        {t("show.id")} <code dir="ltr">{show.id}</code>
      </p>
    </>
  );
}

function useRefreshOnEvents(id: string) {
  const queries = useQueryClient();
  const isDue = useRef(false);
  return useMemo(() => {
    const onEvent = () => {
      if (isDue.current) return;
      isDue.current = true;
      setTimeout(() => {
        isDue.current = false;
        void queries.invalidateQueries({ queryKey: ["show", id] });
      }, CALM_MS);
    };
    const onStale = () => {
      void queries.invalidateQueries({ queryKey: ["resource", id] });
      onEvent();
    };
    return { onEvent, onStale };
  }, [queries, id]);
}

function LiveFigures({ live }: { live: Live | null }) {
  const { t } = useTranslation("console");
  const isCounted = live !== null && live.free !== null;
  const counts = live && isCounted ? tally(live) : null;
  const shown = (count: number | null | undefined) =>
    count === null || count === undefined ? "–" : number(count);
  return (
    <dl className="console-figures" data-count="4">
      <Figure label={t("show.booked")} icon="ticket" value={shown(counts?.booked)} />
      <Figure label={t("show.held")} icon="clock" value={shown(counts?.held)} />
      <Figure label={t("show.blocked")} icon="block" value={shown(counts?.blocked)} />
      <Figure label={t("show.free")} icon="seat" value={shown(live?.free)} />
    </dl>
  );
}
