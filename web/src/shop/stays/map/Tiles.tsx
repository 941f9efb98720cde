// Pictures of a map that the operator of the shop has chosen. What does not come leaves the outline to be seen.
import type { MapTiles } from "~/api/internal";
import { tilesIn, type Size, type View } from "./mercator";

type TilesProps = { tiles: MapTiles; view: View; size: Size };

export function Tiles({ tiles, view, size }: TilesProps) {
  return (
    <div className="stays-map-tiles">
      {tilesIn(view, size).map(({ key, z, x, y, left, top, side }) => (
        <img
          key={key}
          alt=""
          draggable={false}
          // Who gives tiles away wants to know for which site.
          referrerPolicy="strict-origin-when-cross-origin"
          src={tiles.url.replace("{z}", `${z}`).replace("{x}", `${x}`).replace("{y}", `${y}`)}
          style={{ width: side, height: side, transform: `translate(${left}px, ${top}px)` }}
        />
      ))}
    </div>
  );
}
