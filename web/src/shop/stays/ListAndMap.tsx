// What was found as a list and on a map: beside each other where there is room, else the one that was chosen. The map
// and its outline come when they are shown, after the list.
import { lazy, Suspense, useSyncExternalStore, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Note } from "~/design";
import { brought } from "../shell/reload";
import type { Wishes } from "./filters";

type Change = (part: Partial<Wishes>, options?: { replace: boolean }) => void;
type BothProps = { wishes: Wishes; isListHere: boolean; onChange: Change; children: ReactNode };

const WIDE = "(min-width: 68rem)";
const VIEWS = ["list", "map"] as const;
// The list is there all the same.
const ResultsMap = lazy(() =>
  brought(import("./map/ResultsMap")).catch(() => ({ default: MapMissing })),
);

export function ListAndMap({ wishes, isListHere, onChange, children }: BothProps) {
  const { t } = useTranslation("shop_stays");
  const isWide = useIsWide();
  const hasMap = wishes.view === "map" || (isWide && isListHere);
  return (
    <div className="stays-found-both" data-view={wishes.view}>
      <div className="stays-views" role="group" aria-label={t("view")}>
        {VIEWS.map((view) => (
          <button
            key={view}
            type="button"
            className="stays-chip"
            aria-pressed={wishes.view === view}
            onClick={() => onChange({ view })}
          >
            {t(`views.${view}`)}
          </button>
        ))}
      </div>
      <div className="stays-found-list">{children}</div>
      <div className="stays-found-map">
        {hasMap && (
          <Suspense fallback={<div className="stays-map-wait skeleton" />}>
            <ResultsMap
              wishes={wishes}
              onBox={(box) =>
                onChange({ box, place: "", lat: null, lon: null, radius: null }, { replace: true })
              }
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}

function MapMissing() {
  const { t } = useTranslation("shop_stays");
  return <Note>{t("map_missing")}</Note>;
}

function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = globalThis.matchMedia(WIDE);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => globalThis.matchMedia(WIDE).matches,
  );
}
