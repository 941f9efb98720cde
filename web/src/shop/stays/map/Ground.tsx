// What the markers stand on: the outline of the land, and over it the names of towns or the operator's own map.
import { useEffect, useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { MapTiles } from "~/api/internal";
import type { StayPlace } from "~/api/schema";
import { useTowns } from "../catalog";
import { pixelOf, type Size, type Spot, type View } from "./mercator";
import { paint, readOutline, type Colours, type Outline } from "./outline";
import { Tiles } from "./Tiles";

type GroundProps = { view: View; size: Size; tiles: MapTiles | null };

const TOWNS = 50;
const NAME = { width: 110, height: 28 };

export function Ground({ view, size, tiles }: GroundProps) {
  const { t } = useTranslation("shop_stays");
  const canvas = useRef<HTMLCanvasElement>(null);
  const [outline, setOutline] = useState<Outline | null>(null);
  const [isMissing, setMissing] = useState(false);
  const colours = useColours(canvas);
  useEffect(() => {
    let isOver = false;
    readOutline()
      .then((found) => !isOver && setOutline(found))
      .catch(() => !isOver && setMissing(true));
    return () => {
      isOver = true;
    };
  }, []);
  useEffect(() => {
    if (canvas.current === null || colours === null) return;
    paint(canvas.current, outline, view, size, colours);
  }, [outline, view, size, colours]);
  return (
    <>
      <canvas ref={canvas} className="stays-map-ground" aria-hidden="true" />
      {tiles === null ? (
        <Towns view={view} size={size} />
      ) : (
        <Tiles tiles={tiles} view={view} size={size} />
      )}
      {isMissing && <p className="stays-map-missing">{t("map_no_outline")}</p>}
    </>
  );
}

/** As the page has them at the moment, light or dark. */
function useColours(canvas: RefObject<HTMLCanvasElement | null>): Colours | null {
  const [colours, setColours] = useState<Colours | null>(null);
  useEffect(() => {
    const look = () => {
      if (canvas.current === null) return;
      const style = getComputedStyle(canvas.current);
      const land = style.getPropertyValue("--map-land");
      setColours({ land, line: style.getPropertyValue("--map-line") });
    };
    look();
    const watcher = new MutationObserver(look);
    watcher.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => watcher.disconnect();
  }, [canvas]);
  return colours;
}

function Towns({ view, size }: Pick<GroundProps, "view" | "size">) {
  const towns = useTowns("", TOWNS) ?? [];
  return (
    <>
      {apart(towns, view, size).map(({ town, at }) => (
        <span
          key={`${town.name} ${town.country}`}
          className="stays-map-town"
          style={{ transform: `translate(${at.x}px, ${at.y}px) translate(-50%, 1.5rem)` }}
        >
          <bdi>{town.name}</bdi>
        </span>
      ))}
    </>
  );
}

/** Those in the window whose names do not lie over each other; larger ones come first. */
function apart(towns: readonly StayPlace[], view: View, size: Size) {
  const shown: { town: StayPlace; at: Spot }[] = [];
  for (const town of towns) {
    const at = pixelOf(town.lat, town.lon, view, size);
    const isIn = at.x > 0 && at.x < size.width && at.y > 0 && at.y < size.height;
    const isFree = shown.every(
      (one) => Math.abs(one.at.x - at.x) > NAME.width || Math.abs(one.at.y - at.y) > NAME.height,
    );
    if (isIn && isFree) shown.push({ town, at });
  }
  return shown;
}
