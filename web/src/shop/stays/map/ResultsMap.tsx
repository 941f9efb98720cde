// What was found, on a map: prices where the places are, and numbers where many lie close together. Moving it searches
// there. It has no animation, so that nobody has to ask for less of it.
import { useEffect, useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { StayMarker } from "~/api/schema";
import { Button, ErrorNote, Icon } from "~/design";
import { useShop } from "../../session";
import { boxFrom, boxText } from "../box";
import { useMarkers } from "../catalog";
import type { Wishes } from "../filters";
import { boxAround, boxOf, ZOOM_MAX, type View } from "./mercator";
import { Ground } from "./Ground";
import { PinCard } from "./PinCard";
import { Pins } from "./Pins";
import { useMapView } from "./useMapView";
import "./map.css";

type MapProps = { wishes: Wishes; onBox: (box: string) => void };

const SETTLED_MS = 350;
const USUAL_METRES = 10_000;
const NEARER = 2;

export default function ResultsMap({ wishes, onBox }: MapProps) {
  const { t } = useTranslation("shop_stays");
  const [follows, setFollows] = useState(true);
  const [chosen, choose] = useState<StayMarker | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const map = useSearchedMap(frame, wishes, follows, onBox);
  const { size, view } = map;
  const tiles = useShop().session.map_tiles;
  const found = useMarkers(wishes, map.asked, Math.floor(view?.zoom ?? 0));
  const open = (pin: StayMarker) => {
    if (pin.property) return choose(pin);
    if (view === null) return;
    map.show({ lat: pin.lat, lon: pin.lon, zoom: Math.min(ZOOM_MAX, view.zoom + NEARER) });
    // Its button goes; keys go on with the map.
    frame.current?.focus({ preventScroll: true });
  };
  return (
    <section className="stays-map" aria-label={t("map")}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={frame}
        className="stays-map-window"
        dir="ltr"
        // Arrow keys belong to the map while it has the focus.
        role="application"
        aria-label={t("map")}
        aria-describedby="stays-map-hint"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={map.onKeyDown}
      >
        {size !== null && view !== null && (
          <>
            <Ground view={view} size={size} tiles={tiles} />
            <Pins
              pins={found.data?.items ?? []}
              view={view}
              size={size}
              chosen={chosen}
              onOpen={open}
            />
          </>
        )}
      </div>
      <p id="stays-map-hint" className="visually-hidden">
        {t("map_hint")}
      </p>
      <div className="stays-map-zoom">
        <Button kind="quiet" aria-label={t("zoom_in")} onClick={() => map.zoom(1)}>
          <Icon name="plus" />
        </Button>
        <Button kind="quiet" aria-label={t("zoom_out")} onClick={() => map.zoom(-1)}>
          <Icon name="minus" />
        </Button>
      </div>
      <div className="stays-map-foot">
        <label className="stays-map-follow">
          <input
            type="checkbox"
            checked={follows}
            onChange={(event) => {
              setFollows(event.target.checked);
            }}
          />
          {t("map_follow")}
        </label>
        {!follows && map.isAway && (
          <Button size="small" onClick={map.searchHere}>
            {t("map_here")}
          </Button>
        )}
        <small>
          <bdi>{tiles?.credit ?? "Natural Earth"}</bdi>
        </small>
      </div>
      {found.isError && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {chosen !== null && (
        <PinCard key={chosen.id} pin={chosen} wishes={wishes} onClose={() => choose(null)} />
      )}
    </section>
  );
}

/** The map of what is wished. Once it is at rest after a move, its box is asked for. */
function useSearchedMap(
  frame: RefObject<HTMLDivElement | null>,
  wishes: Wishes,
  follows: boolean,
  onBox: (box: string) => void,
) {
  const { box, lat, lon, radius } = wishes;
  const first = boxFrom(box) ?? boxAround(lat ?? 0, lon ?? 0, radius ?? USUAL_METRES);
  const where = box === "" ? `${lat} ${lon} ${radius}` : box;
  // What the map itself asked for moves it nowhere.
  const [sent, noteSent] = useState({ box: "", about: "" });
  const about = box !== "" && box === sent.box ? sent.about : where;
  const [moves, setMoves] = useState<View | null>(null);
  const map = useMapView(frame, first, about, setMoves);
  const { size, view } = map;
  const now = size === null || view === null ? "" : boxText(boxOf(view, size));
  const [asked, ask] = useState("");
  const isMoved = moves !== null && view === moves;
  const send = (next: string) => {
    noteSent({ box: next, about });
    onBox(next);
  };
  const settle = () => {
    ask(now);
    if (follows && isMoved && now !== box) send(now);
  };
  useEffect(() => {
    const timer = setTimeout(settle, isMoved ? SETTLED_MS : 0);
    return () => clearTimeout(timer);
  });
  return { ...map, asked, isAway: isMoved && asked !== box, searchHere: () => send(asked) };
}
