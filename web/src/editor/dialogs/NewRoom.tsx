// A new room: from a common kind with so many seats, or empty.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/design/Button";
import { Dialog } from "~/design/Dialog";
import type { SeatsPlan } from "~/seatmap/plan";
import { NumberInput } from "../panels/fields";
import {
  makeRoomPlan,
  SEATS_MOST,
  SEATS_USUAL,
  TEMPLATES,
  type RoomWords,
  type TemplateName,
} from "../templates";

type Props = {
  open: boolean;
  onClose: () => void;
  onMade: (plan: SeatsPlan, title: string) => void;
};

export function NewRoomDialog({ open, onClose, onMade }: Props) {
  const { t } = useTranslation("editor");
  const [kind, setKind] = useState<TemplateName>("screen");
  const [seats, setSeats] = useState(SEATS_USUAL.screen);
  const make = () => {
    const words: RoomWords = {
      screen: t("new.word.screen"),
      stage: t("new.word.stage"),
      board: t("new.word.board"),
      front: t("new.word.front"),
      stalls: t("new.word.stalls"),
      back: t("new.word.back"),
      balcony: t("new.word.balcony"),
      block: t("new.word.block"),
      hall: t("new.word.hall"),
      room: t("new.word.room"),
    };
    onMade(makeRoomPlan(kind, seats, words), kind === "empty" ? "" : t(`new.kind.${kind}`));
    onClose();
  };
  return (
    <Dialog
      open={open}
      title={t("command.new")}
      onClose={onClose}
      actions={<Button onClick={make}>{t("new.make")}</Button>}
    >
      <fieldset className="editor-kinds">
        <legend className="visually-hidden">{t("new.kinds")}</legend>
        {TEMPLATES.map((name) => (
          <label key={name} data-chosen={kind === name || undefined}>
            <input
              type="radio"
              name="kind"
              className="visually-hidden"
              checked={kind === name}
              onChange={() => {
                setKind(name);
                setSeats(SEATS_USUAL[name]);
              }}
            />
            <KindPicture name={name} />
            <span>{t(`new.kind.${name}`)}</span>
          </label>
        ))}
      </fieldset>
      {kind !== "empty" && (
        <NumberInput
          key={kind}
          label={t("new.seats")}
          value={seats}
          isWhole
          min={1}
          max={SEATS_MOST}
          step={10}
          onChange={setSeats}
        />
      )}
    </Dialog>
  );
}

/** A small sign of each kind of room. */
function KindPicture({ name }: { name: TemplateName }) {
  const dots = SIGNS[name];
  return (
    <svg width="72" height="48" viewBox="0 0 72 48" aria-hidden="true">
      {name !== "empty" && (
        <rect x="24" y="4" width="24" height="3" rx="1.5" className="editor-kind-stage" />
      )}
      {dots.map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={name === "banquet" ? 4.4 : 2.2} />
      ))}
      {name === "empty" && <path d="M36 14v20M26 24h20" className="editor-kind-plus" />}
    </svg>
  );
}

const grid = (columns: number, rows: number, bend: number): [number, number][] =>
  Array.from({ length: columns * rows }, (_, at): [number, number] => {
    const x = (at % columns) - (columns - 1) / 2;
    return [36 + x * 6.4, 16 + Math.floor(at / columns) * 7 + 6 - bend * x * x];
  });

const SIGNS: Readonly<Record<TemplateName, [number, number][]>> = {
  screen: grid(9, 4, 0),
  theatre: grid(9, 4, 0.42),
  arena: Array.from({ length: 32 }, (_, at): [number, number] => {
    const [angle, far] = [(at / 16) * 2 * Math.PI, at < 16 ? 1 : 1.35];
    return [36 + 20 * far * Math.sin(angle), 26 - 12 * far * Math.cos(angle)];
  }),
  banquet: [
    [18, 20],
    [36, 20],
    [54, 20],
    [18, 38],
    [36, 38],
    [54, 38],
  ],
  classroom: grid(9, 3, 0).filter(([x]) => Math.abs(x - 26.4) > 1 && Math.abs(x - 45.6) > 1),
  empty: [],
};
