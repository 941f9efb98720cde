// The room, painted as the seat map of the shop paints it, with what only an editor shows: where seats
// are missing, and the raster.
import { useLayoutEffect, useMemo, useRef } from "react";
import { number } from "~/i18n/format";
import { onScreen, type Camera, type Size } from "~/seatmap/camera";
import { parseColour } from "~/seatmap/colour";
import { makeLook } from "~/seatmap/look";
import { Painter } from "~/seatmap/painter";
import type { Scene } from "../document/scene";

/** It is made anew for another theme, whose colours it reads when it is made. */
export function Picture({ scene, camera, size }: { scene: Scene; camera: Camera; size: Size }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => parseColour(style.getPropertyValue(name));
    const look = makeLook(
      {
        paper: colour("--surface"),
        ink: colour("--ink"),
        accent: colour("--accent"),
        font: style.getPropertyValue("--font") || "sans-serif",
      },
      scene.room.categories,
    );
    return new Painter(scene.room, look, scene.grid);
  }, [scene]);
  useLayoutEffect(() => {
    const element = canvas.current;
    const frame = requestAnimationFrame(() => {
      const context = element?.getContext("2d");
      if (!element || !context) return;
      const ratio = globalThis.devicePixelRatio || 1;
      const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
      if (element.width !== width || element.height !== height) {
        element.width = width;
        element.height = height;
      }
      painter.paint(context, camera, size, ratio, {
        kinds: new Uint8Array(scene.room.units.length),
        filter: -1,
        left: (pool) => number(pool.capacity),
      });
      paintGhosts(context, scene, camera, ratio, painter.look.muted);
    });
    return () => cancelAnimationFrame(frame);
  }, [painter, scene, camera, size]);
  return <canvas ref={canvas} className="editor-picture" aria-hidden="true" />;
}

/** Where a row has a place but no seat: a dashed ring that the eraser puts a seat back into. */
function paintGhosts(
  context: CanvasRenderingContext2D,
  { ghosts }: Scene,
  camera: Camera,
  ratio: number,
  colour: string,
): void {
  if (ghosts.length === 0 || camera.scale < 6) return;
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.strokeStyle = colour;
  context.setLineDash([3, 3]);
  context.globalAlpha = 0.7;
  for (const { x, y } of ghosts) {
    context.beginPath();
    context.arc(...onScreen(camera, [x, y]), camera.scale * 0.34, 0, Math.PI * 2);
    context.stroke();
  }
  context.restore();
}
