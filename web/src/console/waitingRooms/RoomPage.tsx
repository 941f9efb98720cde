// One waiting room: live, with what an operator does about it.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { WaitingRoom } from "~/api/schema";
import { Loaded } from "~/design";
import { number } from "~/i18n/format";
import { CopyText, Figure, PageHead, Panel, When } from "../parts";
import { useMay } from "../session";
import { useResourceNames } from "../resources";
import { ChallengePanel } from "./ChallengePanel";
import { InvitesPanel } from "./InvitesPanel";
import { MessagePanel } from "./MessagePanel";
import { PublicValuePanel } from "./PublicValuePanel";
import { QueuesPanel } from "./QueuesPanel";
import { RoomActs } from "./RoomActs";
import { RoomAlarms } from "./RoomAlarms";
import { RoomChart } from "./RoomChart";
import { RoomState } from "./RoomState";
import { SpeedPanel } from "./SpeedPanel";
import { useMoments, useRoom } from "./useRoom";

const SHOWN_MAX = 20;

export function RoomPage({ id }: { id: string }) {
  const { t } = useTranslation("waiting_rooms");
  const room = useRoom(id);
  const back = { href: "/console/waiting-rooms", label: t("title") };
  return (
    <>
      {room.data === undefined && <PageHead title={t("one")} back={back} />}
      <Loaded of={room} height="24rem">
        {(data) => <Room room={data} back={back} />}
      </Loaded>
    </>
  );
}

function Room({ room, back }: { room: WaitingRoom; back: { href: string; label: string } }) {
  const { t } = useTranslation("waiting_rooms");
  const mayManage = useMay("manage");
  const { told, moments } = useMoments(room);
  const isOver = room.state === "ended";
  return (
    <>
      <PageHead
        title={room.name}
        back={back}
        lead={
          <span className="console-facts">
            <RoomState of={room} />
            <span>
              {t(room.opened_at === null ? "opens_at" : "opened_at")}{" "}
              <When at={room.opened_at ?? room.opens_at} />
            </span>
          </span>
        }
        actions={mayManage && <RoomActs room={room} />}
      />
      <RoomAlarms of={room} />
      <dl className="console-figures" data-count="4">
        <Figure label={t("figures.joined")} value={number(room.joined)} icon="crowd" />
        <Figure label={t("figures.let_in")} value={number(room.let_in)} icon="forward" />
        <Figure label={t("figures.inside")} value={number(room.inside)} icon="seat" />
        <Figure
          label={t("figures.bought")}
          value={number(room.bought)}
          icon="ticket"
          note={room.let_in > 0 && t("figures.share", { share: shareOf(room) })}
        />
      </dl>
      {!isOver && told !== undefined && <RoomChart told={told} moments={moments} />}
      {room.queues.length > 1 && <QueuesPanel room={room} told={told} />}
      <InvitesPanel room={room} mayManage={mayManage} />
      <div className="console-columns">
        <div className="console-stack-wide">
          {mayManage && !isOver && <SpeedPanel room={room} />}
          {mayManage && !isOver && <ChallengePanel room={room} />}
        </div>
        <div className="console-stack-wide">
          {mayManage && !isOver && <MessagePanel room={room} />}
          {mayManage && takesPublicValue(room) && <PublicValuePanel room={room} />}
          <BehindPanel room={room} />
        </div>
      </div>
    </>
  );
}

function takesPublicValue(room: WaitingRoom): boolean {
  return room.state === "scheduled" && room.early_order === "shuffle" && !room.public_value_stands;
}

function shareOf({ bought, let_in: letIn }: WaitingRoom): string {
  return number(bought / letIn, { style: "percent" });
}

function BehindPanel({ room }: { room: WaitingRoom }) {
  const { t } = useTranslation("waiting_rooms");
  const shown = room.resources.slice(0, SHOWN_MAX);
  const names = useResourceNames(shown);
  const more = room.resources.length - shown.length;
  return (
    <Panel title={t("behind")} lead={t("behind_lead")}>
      <ul role="list" className="waiting-behind">
        {shown.map((id) => (
          <li key={id}>
            <Link href={`/console/shows/${id}`}>
              <bdi>{names.get(id)}</bdi>
            </Link>
          </li>
        ))}
        {more > 0 && <li className="console-quiet">{t("behind_more", { count: more })}</li>}
      </ul>
      <p>
        {t("page")} <a href={`/waiting/${room.id}`}>{t("page_open")}</a>
      </p>
      <CopyText text={`${globalThis.location.origin}/waiting/${room.id}`} label={t("page_link")} />
      <p className="console-quiet">{t(`form.orders.${room.early_order}_text`)}</p>
      {room.early_order === "shuffle" && <CopyText text={room.seed_hash} label={t("seed_hash")} />}
      {room.early_order === "shuffle" && room.public_value !== null && (
        <p className="console-quiet">
          {t("public_value.is")} <bdi>{room.public_value}</bdi>
        </p>
      )}
    </Panel>
  );
}
