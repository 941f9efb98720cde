// What lies over the picture: outlines of what is selected, guides, what is being drawn, and handles.
// Everything that a handle does can be typed in the inspector, so it is hidden from screen readers.
import type { PointerEvent as ReactPointerEvent } from "react";
import { number } from "~/i18n/format";
import { onScreen, type Camera, type Size } from "~/seatmap/camera";
import type { Point } from "~/seatmap/plan";
import { boxOfItem, cornersInRoom, cornersOfBox, rectangle } from "../document/bounds";
import { useEditor } from "../context";
import { itemOf, type Key } from "../document/items";
import type { Scene } from "../document/scene";
import type { Note, Shown } from "./drags";
import { handlesOf, type Handle } from "./handles";

type Place = (point: Point) => Point;

type Props = {
  scene: Scene;
  camera: Camera;
  size: Size;
  selection: readonly Key[];
  hovered: Key | null;
  shown: Shown | null;
  /** Points of an outline that is being drawn, the pointer last. */
  points: readonly Point[];
  hasHandles: boolean;
  onHandle: (handle: Handle, event: ReactPointerEvent) => void;
};

const path = (points: readonly Point[]): string => points.map(([x, y]) => `${x},${y}`).join(" ");

export function Overlay(props: Props) {
  const { scene, camera, size, selection, shown, points, hovered } = props;
  const place: Place = (point) => onScreen(camera, point);
  const handles = props.hasHandles ? handlesOf(scene, selection, camera.scale) : [];
  const outline = (key: Key) => path(outlineOf(scene, key).map(place));
  const noted = shown?.box?.[1] ?? handles[0]?.at;
  return (
    <svg className="editor-overlay" width={size.width} height={size.height} aria-hidden="true">
      {hovered !== null && !selection.includes(hovered) && (
        <polygon className="editor-hovered" points={outline(hovered)} />
      )}
      {selection.map((key) => (
        <polygon key={key} className="editor-selected" points={outline(key)} />
      ))}
      {shown?.guides?.map(({ axis, at }) => {
        const [x, y] = place([at, at]);
        const ends =
          axis === "x" ? { x1: x, x2: x, y2: size.height } : { y1: y, y2: y, x2: size.width };
        return <line key={axis + at} className="editor-guide" {...ends} />;
      })}
      {shown?.box && (
        <polygon className="editor-marquee" points={path(rectangle(...shown.box).map(place))} />
      )}
      {shown?.note && noted && <NoteBeside note={shown.note} at={place(noted)} size={size} />}
      <polyline className="editor-drawn" points={path(points.map(place))} />
      {points.map(place).map(([x, y], at) => (
        <circle key={at} className="editor-point" cx={x} cy={y} r={4} />
      ))}
      {handles.map((handle) => (
        <HandleSign key={handle.name} handle={handle} place={place} onHandle={props.onHandle} />
      ))}
    </svg>
  );
}

/** The outline of an item in the room: turned with a section, or its box. */
function outlineOf(scene: Scene, key: Key): Point[] {
  const item = itemOf(key);
  if (item?.kind === "section") return cornersInRoom(scene, item.section);
  const pool = item?.kind === "pool" ? scene.room.pools[item.at] : undefined;
  if (pool) return [...pool.outline];
  const shape = item?.kind === "shape" ? scene.plan.shapes?.[item.at] : undefined;
  if (shape?.kind === "polygon") return [...shape.points];
  return cornersOfBox(boxOfItem(scene, key));
}

function NoteBeside({ note, at, size }: { note: Note; at: Point; size: Size }) {
  const { t } = useEditor();
  const values = Object.entries(note.values).map(([name, value]) => [name, number(value)]);
  const text = t(note.key, Object.fromEntries(values));
  const width = text.length * 7.4 + 20;
  const x = Math.max(4, Math.min(at[0] + 14, size.width - width - 4));
  const y = Math.max(4, Math.min(at[1] + 14, size.height - 32));
  return (
    <g transform={`translate(${x} ${y})`} className="editor-note">
      <rect width={width} height={28} rx={14} />
      <text x={width / 2} y={18.5} textAnchor="middle">
        {text}
      </text>
    </g>
  );
}

type SignProps = Pick<Props, "onHandle"> & { handle: Handle; place: Place };

function HandleSign({ handle, place, onHandle }: SignProps) {
  const [x, y] = place(handle.at);
  const [fromX, fromY] = place(handle.from ?? handle.at);
  const [half, round] =
    handle.kind === "grow" ? [5, 2.5] : handle.kind === "turn" ? [7, 7] : [6, 6];
  return (
    <g className="editor-handle" data-kind={handle.kind}>
      <line x1={fromX} y1={fromY} x2={x} y2={y} />
      <circle
        className="editor-handle-reach"
        cx={x}
        cy={y}
        r={16}
        onPointerDown={(event) => onHandle(handle, event)}
      />
      <rect
        className="editor-handle-sign"
        x={x - half}
        y={y - half}
        width={2 * half}
        height={2 * half}
        rx={round}
      />
    </g>
  );
}
