// How the order is made, with what is published of it, and a check of one's own place that needs no
// trust in the server: it is computed here.
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { PlaceNow, WaitingRoomNow } from "~/api/schema";
import { Button, Note } from "~/design";
import { checkPlace } from "./draw";
import type { KeptToken } from "./keptTokens";

type DrawProps = { room: WaitingRoomNow; kept: KeptToken | null; place: PlaceNow | undefined };

export function DrawSection({ room, kept, place }: DrawProps) {
  const { t } = useTranslation("shop_waiting");
  const isShuffled = room.early_order === "shuffle";
  const placeKey = place?.place_key ?? null;
  return (
    <details className="card waiting-more">
      <summary>{t("draw.title")}</summary>
      <div className="waiting-stack">
        <p>{t(`draw.${room.early_order}`)}</p>
        {isShuffled && <p>{t("draw.how")}</p>}
        {isShuffled && (
          <dl className="waiting-facts">
            <Fact name="seed_hash" value={room.seed_hash} />
            <Fact name="seed" value={room.seed} />
            <Fact name="public_value" value={room.public_value} />
            {placeKey !== null && <Fact name="place_key" value={placeKey} />}
          </dl>
        )}
        {isShuffled && kept !== null && placeKey !== null && room.seed !== null && (
          <Check room={room} kept={kept} placeKey={placeKey} />
        )}
      </div>
    </details>
  );
}

function Fact({ name, value }: { name: string; value: string | null }) {
  const { t } = useTranslation("shop_waiting");
  return (
    <div>
      <dt>{t(`draw.${name}`)}</dt>
      <dd>{value === null ? t("draw.later") : <code dir="ltr">{value}</code>}</dd>
    </div>
  );
}

type CheckProps = { room: WaitingRoomNow; kept: KeptToken; placeKey: string };

function Check({ room, kept, placeKey }: CheckProps) {
  const { t } = useTranslation("shop_waiting");
  const check = useMutation({
    mutationFn: () => checkPlace(room, kept.token, placeKey, kept.seedHashes),
  });
  const found = check.data ?? null;
  const isGood = found !== null && found.isSame && found.isSeedSame;
  return (
    <>
      <div>
        <Button kind="quiet" size="small" busy={check.isPending} onClick={() => check.mutate()}>
          {t("draw.check")}
        </Button>
      </div>
      <div role="status">
        {check.data === null && <Note tone="warn">{t("draw.cannot")}</Note>}
        {found !== null && (
          <Note tone={isGood ? (found.isAnew ? "warn" : "good") : "bad"}>
            <p>
              {isGood
                ? t(`draw.good_${found.by}`)
                : t(found.isSeedSame ? "draw.bad_key" : "draw.bad_seed")}
            </p>
            {isGood && found.isAnew && <p>{t("draw.anew_first")}</p>}
            <p>
              {t("draw.computed")} <code dir="ltr">{found.key}</code>
            </p>
          </Note>
        )}
      </div>
    </>
  );
}
