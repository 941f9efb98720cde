// The map of a show, to block and unblock seats.
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { Button, Icon, Skeleton } from "~/design";
import { comma } from "~/i18n/format";
import type { SeatMapElement } from "~/seatmap/element";
import { readPlan } from "~/seatmap/plan";
import { SellButton } from "../desk/SellButton";
import { Panel } from "../parts";
import { byBlock, useBlocks } from "./blocks";
import { BlockDialog } from "./BlockDialog";
import { Unblock } from "./Unblock";
import { OtherBlock } from "./OtherBlock";
import type { Live } from "./live";

const SeatMap = lazy(async () => ({ default: (await import("~/seatmap/SeatMap")).SeatMap }));
/** Operators may select all seats. */
const CHOSEN_MAX = 10_000;
const NAMED_MAX = 12;

export function MapPanel({ show, live }: { show: Resource; live: Live | null }) {
  const { t } = useTranslation("console");
  return (
    <Panel
      title={t("map.title")}
      lead={show.plan.type === "seats" ? t("map.lead") : t("map.other_lead")}
      className="console-map-panel"
    >
      {show.plan.type === "seats" ? <Seats show={show} live={live} /> : <OtherBlock show={show} />}
    </Panel>
  );
}

function Seats({ show, live }: { show: Resource; live: Live | null }) {
  const { t } = useTranslation("console");
  const [chosen, choose] = useState<readonly string[]>([]);
  const [asking, ask] = useState(false);
  const blocks = useBlocks(show.id);
  const map = useRef<SeatMapElement>(null);
  const plan = useMemo(() => readPlan(show.plan), [show.plan]);
  const free = useMemo(
    () => chosen.filter((unit) => live?.taken[unit] === undefined),
    [chosen, live],
  );
  const blocked = useMemo(
    () => chosen.filter((unit) => live?.taken[unit] === "blocked"),
    [chosen, live],
  );
  const done = () => {
    choose([]);
    map.current?.clear();
  };
  if (live === null || plan === null) return <Skeleton height="28rem" />;
  return (
    <>
      <Suspense fallback={<Skeleton height="28rem" />}>
        <div className="console-map" role="group" aria-label={t("map.of", { name: show.name })}>
          <SeatMap
            ref={map}
            offline
            mode="block"
            max={CHOSEN_MAX}
            plan={plan}
            taken={live.taken}
            pools={live.pools}
            onSelect={({ units }) => choose(units.map((one) => one.unit))}
          />
        </div>
      </Suspense>
      <div className="console-map-foot" aria-live="polite">
        {chosen.length === 0 ? (
          <p className="console-quiet">{t("map.choose")}</p>
        ) : (
          <>
            <p>
              <strong>{t("map.chosen", { count: chosen.length })}</strong>{" "}
              <span className="console-quiet">{named(chosen)}</span>
            </p>
            <div className="console-actions">
              <Button kind="quiet" onClick={done}>
                {t("map.clear")}
              </Button>
              {blocked.length > 0 && (
                <Unblock
                  resource={show.id}
                  parts={byBlock(blocks.data ?? [], blocked)}
                  onDone={done}
                />
              )}
              {free.length > 0 && (
                <>
                  <Button kind="quiet" onClick={() => ask(true)}>
                    <Icon name="block" size={18} />
                    {t("map.block", { count: free.length })}
                  </Button>
                  <SellButton
                    resource={show.id}
                    lines={free.map((unit) => ({ unit, quantity: null }))}
                    count={free.length}
                    onDone={done}
                  />
                </>
              )}
            </div>
          </>
        )}
      </div>
      <BlockDialog
        open={asking}
        resource={show.id}
        lines={free.map((unit) => ({ unit, quantity: null }))}
        count={free.length}
        onClose={() => ask(false)}
        onDone={done}
      />
    </>
  );
}

function named(units: readonly string[]): string {
  const shown = units.slice(0, NAMED_MAX).join(comma());
  return units.length > NAMED_MAX ? `${shown} …` : shown;
}
