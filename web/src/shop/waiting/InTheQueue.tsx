// The middle of the page: what is so now, and the one thing to do.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Problem } from "~/api/client";
import type { PlaceNow, WaitingRoomNow } from "~/api/schema";
import { Button, ButtonLink, Countdown, ErrorNote, Icon, Note } from "~/design";
import { duration, lasting, number } from "~/i18n/format";
import { dropPass, keepPass, type KeptPass } from "../passes";
import { useShop } from "../session";
import { InviteCode } from "./InviteCode";
import { isByInvitation, queueWithout, takesCodes } from "./inviteCodes";
import type { useJoin, useTypedCode } from "./joining";
import type { KeptToken } from "./keptTokens";
import { LeaveQueue } from "./LeaveQueue";
import { whenOf } from "./SoldHere";
import { allowSound, playTurn } from "./sound";
import type { Stage } from "./stage";
import { ToWaitlist } from "./ToWaitlist";
import { Until } from "./Until";
import { hasOpened, type Standing } from "./standing";

type QueueProps = {
  room: WaitingRoomNow;
  stage: Stage;
  kept: KeptToken | null;
  standing: Standing | null;
  place: PlaceNow | undefined;
  pass: KeptPass | null;
  join: ReturnType<typeof useJoin>;
  back: string | null;
  /** The queue of the address. */
  queue: string | null;
  code: ReturnType<typeof useTypedCode>;
  onLook: () => void;
};

const HAS_PLACE: readonly Stage[] = ["early", "waiting", "paused", "sold_out"];
const TELLS_RULES: readonly Stage[] = ["join", ...HAS_PLACE];

export function InTheQueue(props: QueueProps) {
  const { room, stage, join } = props;
  const { t } = useTranslation("shop_waiting");
  const isTurn = stage === "called";
  const when = whenOf(room.opens_at);
  const text = stage === "early" ? earlyText(room, props.standing) : stageText(props);
  const hasCodes = !room.draining && (takesCodes(room) || props.code.isBrought);
  return (
    <section className="card waiting-card" data-stage={stage} aria-labelledby="waiting-stage">
      <div role={isTurn ? "alert" : "status"}>
        <h2 id="waiting-stage">{t(`stages.${stage}.title`)}</h2>
      </div>
      <p>{t(text, { when, minutes: minutesOf(room.pass_seconds) })}</p>
      {TELLS_RULES.includes(stage) && <TurnRules room={room} />}
      {stage === "before" && <Until at={room.early_opens_at} label={t("queue_opens")} />}
      {!hasOpened(room) && <Until at={room.opens_at} label={t("sale_opens")} />}
      {HAS_PLACE.includes(stage) && <Ahead {...props} />}
      {HAS_PLACE.includes(stage) && room.draining && <Note>{t("draining_note")}</Note>}
      {stage === "waiting" && room.payments !== "well" && (
        <Note tone="warn">{t(`payments.${room.payments}`)}</Note>
      )}
      {(stage === "join" || stage === "lost") && !room.draining && <Join {...props} />}
      {stage === "sold_out" && <ToWaitlist room={room} />}
      {stage === "called" && <ComeIn {...props} />}
      {stage === "inside" && props.pass !== null && <Inside {...props} pass={props.pass} />}
      {join.isError && join.variables === undefined && <ErrorNote error={join.error} />}
      {HAS_PLACE.includes(stage) && hasCodes && (
        <InviteCode join={join} code={props.code} isAsked={false} hasPlace />
      )}
      {HAS_PLACE.includes(stage) && <SoundSwitch />}
      {HAS_PLACE.includes(stage) && props.kept !== null && (
        <LeaveQueue room={room} token={props.kept.token} queue={props.queue} />
      )}
      <TurnSound isTurn={isTurn} />
    </section>
  );
}

/** What holds once one is called, while there is time to think about it. */
function TurnRules({ room }: { room: WaitingRoomNow }) {
  const { t } = useTranslation("shop_waiting");
  const { grace_seconds: grace, pass_seconds: lasts, units_max: most } = room;
  const times = {
    grace: grace < MINUTE_SECONDS ? lasting(grace, "second") : minutesOf(grace),
    minutes: minutesOf(lasts),
  };
  return (
    <p className="shop-quiet">
      {t("turn_rules", times)} {most !== null && t("turn_units", { count: most })}
    </p>
  );
}

const MINUTE_SECONDS = 60;
const minutesOf = (seconds: number) => duration(Math.max(1, Math.round(seconds / MINUTE_SECONDS)));

function stageText({ room, stage, queue, code }: QueueProps): string {
  if (stage === "join" && code.isBrought) return "stages.join.brought";
  if (stage === "join" && isByInvitation(room, queue)) return "stages.join.invited";
  if (stage === "lost" && room.draining) return "stages.lost.draining";
  if (stage === "lost" && queueWithout(room, queue) === null) return "stages.lost.invited";
  return `stages.${stage}.text`;
}

/** Joins by a code, or without one, or either. */
function Join(props: QueueProps) {
  const { room, stage, join, queue, code } = props;
  const { t } = useTranslation("shop_waiting");
  const isOpenToAll = queueWithout(room, queue) !== null;
  // Whoever lost a turn that was by a code comes in by another code only.
  const isAsked = stage === "join" && (isByInvitation(room, queue) || code.isBrought);
  const field = (takesCodes(room) || code.isBrought) && (
    <InviteCode join={join} code={code} isAsked={isAsked} hasPlace={false} />
  );
  const verb = stage === "lost" ? "join_again" : isAsked ? "join_without" : "join";
  return (
    <>
      {isAsked && field}
      {isOpenToAll && (
        <div className="waiting-actions">
          <Button
            kind={isAsked ? "quiet" : "primary"}
            busy={join.isPending && join.variables === undefined}
            onClick={() => join.mutate(undefined)}
          >
            {t(verb)}
          </Button>
        </div>
      )}
      {!isAsked && field}
    </>
  );
}

function earlyText(room: WaitingRoomNow, standing: Standing | null): string {
  if (hasOpened(room)) return "stages.early.drawing";
  if (room.early_order === "shuffle") return "stages.early.text";
  const place = standing?.place ?? null;
  return place === null ? "stages.early.drawing" : "stages.early.first_come";
}

type AheadProps = Pick<QueueProps, "room" | "standing" | "place">;

function Ahead({ room, standing, place }: AheadProps) {
  const { t } = useTranslation("shop_waiting");
  if (standing === null || standing.ahead === null || standing.place === null) return null;
  const { ahead, minutes } = standing;
  // By category it is told below, and there by what people choose.
  const chance = room.categories.length > 0 ? null : (place?.chance ?? null);
  const isMoving = hasOpened(room) && room.phase !== "paused";
  const before = Math.max(1, standing.place - 1);
  return (
    <>
      <dl className="waiting-place">
        <div>
          <dt>{t("place.ahead")}</dt>
          <dd className="tabular">{number(ahead)}</dd>
        </div>
        <div>
          <dt>{t("place.place")}</dt>
          <dd className="tabular">{number(standing.place)}</dd>
        </div>
        {isMoving && room.phase !== "sold_out" && (
          <div>
            <dt>{t("place.minutes")}</dt>
            <dd>{minutes === null ? t("place.not_known") : rangeWords(minutes)}</dd>
          </div>
        )}
        {chance !== null && (
          <div>
            <dt>{t("place.chance")}</dt>
            <dd className="tabular">{number(chance, { style: "percent" })}</dd>
          </div>
        )}
      </dl>
      {isMoving && (
        <progress
          className="waiting-progress"
          max={before}
          value={Math.min(before, before - ahead)}
          aria-label={t("place.progress")}
        />
      )}
      <p className="shop-quiet">{t("place.left_note")}</p>
    </>
  );
}

const HOUR_MINUTES = 60;

function rangeWords([from, to]: readonly [number, number]): string {
  if (from === to) return duration(to);
  if (to < HOUR_MINUTES) return `${number(from)}–${lasting(to, "minute", "short")}`;
  return `${duration(from)} – ${duration(to)}`;
}

function ComeIn({ room, kept, back, join, queue, onLook }: QueueProps) {
  const { t } = useTranslation("shop_waiting");
  const { api } = useShop();
  const [, navigate] = useLocation();
  const target = back ?? wayIn(room);
  const come = useMutation({
    mutationFn: () =>
      api.POST("/v1/waiting-rooms/{waiting_room_id}/passes", {
        path: { waiting_room_id: room.id },
        body: { queue_token: kept?.token ?? "" },
      }),
    onSuccess: (given) => {
      keepPass({
        roomId: room.id,
        name: room.name,
        pass: given.pass,
        resources: given.resources,
        unitsMax: given.units_max,
        endsAt: Date.now() + given.expires_in_ms,
        back: target,
      });
      navigate(target);
    },
    onError: onLook,
  });
  const ended = come.error instanceof Problem && come.error.code === "pass_ended" && come.error;
  const calledAt = kept?.calledAt ?? null;
  const endsAt = calledAt === null ? null : calledAt + room.grace_seconds * 1000;
  if (ended) {
    return (
      <>
        <Note tone="warn">{t(`ended_as.${wordOf(ended.data["ended_as"], room)}`)}</Note>
        {queueWithout(room, queue) !== null && !room.draining && (
          <div className="waiting-actions">
            <Button busy={join.isPending} onClick={() => join.mutate(undefined)}>
              {t("join_again")}
            </Button>
          </div>
        )}
      </>
    );
  }
  return (
    <>
      <p>
        {endsAt === null ? (
          t("called_within", {
            minutes: minutesOf(room.grace_seconds),
          })
        ) : (
          <>
            {t("called_until")} <Countdown endsAt={endsAt} behindMs={0} onEnd={onLook} />
          </>
        )}
      </p>
      <div className="waiting-actions">
        <Button busy={come.isPending} onClick={() => come.mutate()}>
          <Icon name="ticket" size={18} />
          {t("go")}
        </Button>
      </div>
      {come.isError && <ErrorNote error={come.error} />}
    </>
  );
}

const ENDS: readonly unknown[] = ["bought", "left", "lapsed", "taken"];

function wordOf(ended: unknown, { draining }: WaitingRoomNow): string {
  if (draining && ended !== "taken") return "draining";
  return ENDS.includes(ended) ? String(ended) : "lapsed";
}

/** Where the tickets are, for who did not come from there. */
function wayIn({ resources }: WaitingRoomNow): string {
  return resources.length === 1 ? `/shows/${resources[0]}` : "/";
}

function Inside({ room, kept, pass }: QueueProps & { pass: KeptPass }) {
  const { t } = useTranslation("shop_waiting");
  const { api } = useShop();
  const leave = useMutation({
    mutationFn: async () => {
      const path = { waiting_room_id: room.id };
      const token = kept?.token;
      if (token === undefined) return;
      const query = { queue_token: token };
      await api.DELETE("/v1/waiting-rooms/{waiting_room_id}/passes", {
        path,
        query,
        parseAs: "text",
      });
    },
    onSuccess: () => dropPass(room.id),
  });
  return (
    <>
      <p>
        {t("pass_until")}{" "}
        <Countdown endsAt={pass.endsAt} behindMs={0} onEnd={() => dropPass(room.id)} />
      </p>
      <div className="waiting-actions">
        <ButtonLink href={pass.back}>
          <Icon name="ticket" size={18} />
          {t("go")}
        </ButtonLink>
        <Button kind="quiet" busy={leave.isPending} onClick={() => leave.mutate()}>
          {t("leave")}
        </Button>
      </div>
      {leave.isError && <ErrorNote error={leave.error} />}
    </>
  );
}

function SoundSwitch() {
  const { t } = useTranslation("shop_waiting");
  const [isOn, setOn] = useState(false);
  const press = () => {
    allowSound();
    if (!isOn) playTurn();
    setOn(true);
  };
  return (
    <div>
      <Button kind="bare" size="small" aria-pressed={isOn} onClick={press}>
        <Icon name={isOn ? "check" : "flag"} size={16} />
        {t(isOn ? "sound_on" : "sound")}
      </Button>
    </div>
  );
}

function TurnSound({ isTurn }: { isTurn: boolean }) {
  useEffect(() => {
    if (isTurn) playTurn();
  }, [isTurn]);
  return null;
}
