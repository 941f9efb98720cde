// The page of a waiting room: what is sold and when, where one stands, and the way in when it is one's
// turn. It says nothing that it does not know.
import { useTranslation } from "react-i18next";
import { useSearch } from "wouter";
import type { WaitingRoomNow } from "~/api/schema";
import { ErrorNote, Note } from "~/design";
import { number } from "~/i18n/format";
import { useShop } from "../session";
import { Page, PageWait } from "../shell/Page";
import { DemoCrowd } from "../show/DemoCrowd";
import { usePasses } from "../usePasses";
import { CategoryChances } from "./CategoryChances";
import { DrawnAnew } from "./DrawnAnew";
import { DrawSection } from "./DrawSection";
import { InTheQueue } from "./InTheQueue";
import { isByInvitation } from "./inviteCodes";
import { useArrival, useJoin, useNoteSeen, useTypedCode } from "./joining";
import { pathBack } from "./keptTokens";
import { LineFigures } from "./LineFigures";
import { OtherDevice } from "./OtherDevice";
import { RoomOver } from "./RoomOver";
import { isOver, useKeptToken, usePlace, useRoomNow } from "./room";
import { SoldHere } from "./SoldHere";
import { stageOf, type Stage } from "./stage";
import { standingOf } from "./standing";
import { TurnMailSection } from "./TurnMailSection";
import "./waiting.css";

/** Who waits, and has not been called. */
const MAILED: readonly Stage[] = ["early", "waiting", "paused", "sold_out"];

export default function WaitingPage({ roomId }: { roomId: string }) {
  const found = useRoomNow(roomId);
  const back = pathBack(new URLSearchParams(useSearch()).get("from"));
  if (isOver(found.error) || found.data?.phase === "ended")
    return <RoomOver roomId={roomId} back={back} />;
  if (found.data === undefined) {
    if (!found.error) return <PageWait />;
    return (
      <div className="shop-page">
        <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
      </div>
    );
  }
  return (
    <Waiting
      room={found.data}
      lookedAt={found.dataUpdatedAt}
      isAway={found.isError}
      from={back}
      onLook={() => void found.refetch()}
    />
  );
}

type WaitingProps = {
  room: WaitingRoomNow;
  lookedAt: number;
  /** The last look got no answer. */
  isAway: boolean;
  from: string | null;
  onLook: () => void;
};

function Waiting({ room, lookedAt, isAway, from, onLook }: WaitingProps) {
  const { t } = useTranslation("shop_waiting");
  const queue = new URLSearchParams(useSearch()).get("queue");
  const joining = { room, queue, back: from };
  const join = useJoin(joining);
  const { session } = useShop();
  const [first] = room.resources;
  const code = useTypedCode();
  const needsCode = code.isBrought || isByInvitation(room, queue);
  useArrival({ ...joining, needsCode }, () => join.mutate(undefined));
  const kept = useKeptToken(room.id);
  const place = usePlace(room, kept?.token ?? null, lookedAt);
  const standing = place === undefined ? null : standingOf(room, place);
  const pass = usePasses().find(({ roomId }) => roomId === room.id) ?? null;
  const turn = kept === null ? null : (standing?.turn ?? "early");
  const stage = stageOf(room, turn, pass !== null);
  useNoteSeen({ room, kept, turn: standing?.turn ?? null, at: lookedAt });
  const ahead = standing?.ahead ?? null;
  const title =
    stage === "called"
      ? t("stages.called.title")
      : stage === "waiting" && ahead !== null
        ? t("tab_ahead", { ahead: number(ahead), name: room.name })
        : room.name;
  return (
    <Page title={title} heading={<bdi>{room.name}</bdi>} className="waiting-page">
      <SoldHere room={room} />
      {isAway && <Note tone="warn">{t("away")}</Note>}
      {room.message !== null && (
        <Note tone="accent">
          <strong>{t("message")}</strong> <bdi>{room.message}</bdi>
        </Note>
      )}
      <DrawnAnew room={room} kept={kept} />
      <InTheQueue
        {...{ room, stage, kept, standing, place, pass, join, onLook, queue, code }}
        back={kept?.back ?? from}
      />
      <CategoryChances room={room} standing={standing} queue={place?.queue ?? queue} />
      <LineFigures room={room} queue={place?.queue ?? queue} />
      {kept !== null && MAILED.includes(stage) && (
        <TurnMailSection roomId={room.id} token={kept.token} />
      )}
      {kept !== null && stage !== "inside" && stage !== "lost" && (
        <OtherDevice roomId={room.id} token={kept.token} />
      )}
      <DrawSection room={room} kept={kept} place={place} />
      {session.demo && first !== undefined && <DemoCrowd resourceId={first} isBehindRoom />}
    </Page>
  );
}
