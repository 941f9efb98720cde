// That an opening was taken back: the order that was told then does not count, and is drawn anew. Whoever
// noted the hash of before is told so plainly, and also where nobody says why there is another one.
import { useTranslation } from "react-i18next";
import type { WaitingRoomNow } from "~/api/schema";
import { Note } from "~/design";
import { dateTime } from "~/i18n/format";
import type { KeptToken } from "./keptTokens";

type DrawnAnewProps = { room: WaitingRoomNow; kept: KeptToken | null };

export function DrawnAnew({ room, kept }: DrawnAnewProps) {
  const { t } = useTranslation("shop_waiting");
  if (room.early_order !== "shuffle") return null;
  const told = new Set([room.seed_hash, ...room.taken_back.map((one) => one.seed_hash)]);
  const unknown = (kept?.seedHashes ?? []).find((one) => !told.has(one));
  const last = room.taken_back.at(-1);
  if (unknown !== undefined) {
    return (
      <Note tone="bad">
        <p>{t("anew.unexplained")}</p>
        <Hash name="anew.seen" hash={unknown} />
        <Hash name="anew.now" hash={room.seed_hash} />
      </Note>
    );
  }
  if (last === undefined) return null;
  const first = kept?.seedHashes[0];
  return (
    <Note tone="warn">
      <p>{t("anew.text", { when: dateTime(last.taken_back_at) })}</p>
      {first !== undefined && first !== room.seed_hash && (
        <>
          <Hash name="anew.seen" hash={first} />
          <Hash name="anew.now" hash={room.seed_hash} />
        </>
      )}
    </Note>
  );
}

function Hash({ name, hash }: { name: "anew.seen" | "anew.now"; hash: string }) {
  const { t } = useTranslation("shop_waiting");
  return (
    <p className="waiting-hash">
      {t(name)} <code dir="ltr">{hash}</code>
    </p>
  );
}
