// What lies over the picture: outlines of what is selected, guides, what is being drawn, and handles.
// Everything that a handle does can be typed in the inspector, so it is hidden from screen readers.
import type { PointerEvent as ReactPointerEvent } from "react";
import { number } from "~/i18n/format";
import type { Camera, Size } from "~/seatmap/camera";
import type { Point } from "~/seatmap/plan";
import { boxOfItem, cornersInRoom, isEmpty } from "../document/bounds";
import { itemOf, type Key } from "../document/items";
import type { Scene } from "../document/scene";
import type { Shown } from "./drags";
import { handlesOf, type Handle } from "./handles";

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
  told: (key: string, values: Readonly<Record<string, number | string>>) => string;
  onHandle: (handle: Handle, event: ReactPointerEvent) => void;
};

const path = (points: readonly Point[]): string => points.map(([x, y]) => `${x},${y}`).join(" ");

export function Overlay(props: Props) {
  const { scene, camera, size, selection, shown, points } = props;
  const place = ([x, y]: Point): Point => [
    x * camera.scale + camera.x,
    y * camera.scale + camera.y,
  ];
  const handles = props.hasHandles ? handlesOf(scene, selection, camera.scale) : [];
  return (
    <svg className="editor-overlay" width={size.width} height={size.height} aria-hidden="true">
      {props.hovered !== null && !selection.includes(props.hovered) && (
        <polygon
          className="editor-hovered"
          points={path(outlineOf(scene, props.hovered).map(place))}
        />
      )}
      {selection.map((key) => (
        <polygon
          key={key}
          className="editor-selected"
          points={path(outlineOf(scene, key).map(place))}
        />
      ))}
      {shown?.guides?.map(({ axis, at }) => {
        const [x, y] = place([at, at]);
        return axis === "x" ? (
          <line key={`x${at}`} className="editor-guide" x1={x} x2={x} y1={0} y2={size.height} />
        ) : (
          <line key={`y${at}`} className="editor-guide" x1={0} x2={size.width} y1={y} y2={y} />
        );
      })}
      {shown?.box && <Marquee from={place(shown.box[0])} to={place(shown.box[1])} />}
      {shown?.note && shown.box && (
        <Note
          size={size}
          at={place(shown.box[1])}
          text={props.told(shown.note.key, told(shown.note.values))}
        />
      )}
      {shown?.note && !shown.box && handles[0] && (
        <Note
          size={size}
          at={place(handles[0].at)}
          text={props.told(shown.note.key, told(shown.note.values))}
        />
      )}
      {points.length > 0 && (
        <>
          <polyline className="editor-drawn" points={path(points.map(place))} />
          {points.map((point, at) => {
            const [x, y] = place(point);
            return <circle key={at} className="editor-point" cx={x} cy={y} r={4} />;
          })}
        </>
      )}
      {handles.map((handle) => {
        const [x, y] = place(handle.at);
        const from = handle.from ? place(handle.from) : null;
        return (
          <g key={handle.name} className="editor-handle" data-kind={handle.kind}>
            {from && <line x1={from[0]} y1={from[1]} x2={x} y2={y} />}
            <circle
              className="editor-handle-reach"
              cx={x}
              cy={y}
              r={16}
              onPointerDown={(event) => props.onHandle(handle, event)}
            />
            <HandleSign handle={handle} x={x} y={y} />
          </g>
        );
      })}
    </svg>
  );
}

const told = (values: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, number(value)]));

/** The outline of an item in the room: turned with a section, or its box. */
function outlineOf(scene: Scene, key: Key): Point[] {
  const item = itemOf(key);
  if (item?.kind === "section") return cornersInRoom(scene, item.section);
  const pool = item?.kind === "pool" ? scene.room.pools[item.pool] : undefined;
  if (pool) return [...pool.outline];
  const shape = item?.kind === "shape" ? scene.plan.shapes?.[item.shape] : undefined;
  if (shape?.kind === "polygon") return [...shape.points];
  const box = boxOfItem(scene, key);
  if (isEmpty(box)) return [];
  return [
    [box.left, box.top],
    [box.right, box.top],
    [box.right, box.bottom],
    [box.left, box.bottom],
  ];
}

function Marquee({ from, to }: { from: Point; to: Point }) {
  return (
    <rect
      className="editor-marquee"
      x={Math.min(from[0], to[0])}
      y={Math.min(from[1], to[1])}
      width={Math.abs(to[0] - from[0])}
      height={Math.abs(to[1] - from[1])}
      rx={4}
    />
  );
}

function Note({ at, text, size }: { at: Point; text: string; size: Size }) {
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

function HandleSign({ handle, x, y }: { handle: Handle; x: number; y: number }) {
  if (handle.kind === "grow") {
    return (
      <rect className="editor-handle-sign" x={x - 5} y={y - 5} width={10} height={10} rx={2.5} />
    );
  }
  return <circle className="editor-handle-sign" cx={x} cy={y} r={handle.kind === "turn" ? 7 : 6} />;
}
