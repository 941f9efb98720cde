// A new room: from a common kind with so many seats, or empty. The engine makes it.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Dialog, ErrorNote } from "~/design";
import type { SeatsPlan } from "~/seatmap/plan";
import { makeRoomPlan } from "../engine";
import { wordsOf } from "../names";
import { NumberInput } from "../panels/fields";

const SEATS_USUAL = { screen: 240, theatre: 420, arena: 6000, banquet: 160, classroom: 48 };
const SEATS_MAX = 50_000;
const KINDS = ["screen", "theatre", "arena", "banquet", "classroom", "empty"] as const;
type Kind = (typeof KINDS)[number];

const WORDS = [
  "screen",
  "stage",
  "board",
  "front",
  "stalls",
  "back",
  "balcony",
  "block",
  "hall",
  "room",
] as const;

type Props = {
  open: boolean;
  onClose: () => void;
  onMade: (plan: SeatsPlan, title: string) => void;
};

export function NewRoomDialog({ open, onClose, onMade }: Props) {
  const { t } = useTranslation("editor");
  const [kind, setKind] = useState<Kind>("screen");
  const [seats, setSeats] = useState(SEATS_USUAL.screen);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const make = async () => {
    setBusy(true);
    setError(null);
    try {
      const words = wordsOf(WORDS, (name) => t(`word.${name}`));
      if (kind === "empty") onMade({ type: "seats" }, "");
      else onMade(await makeRoomPlan({ kind, seats, words }), t(`new.kind.${kind}`));
      onClose();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  const choose = (name: Kind) => {
    setKind(name);
    if (name !== "empty") setSeats(SEATS_USUAL[name]);
  };
  return (
    <Dialog
      open={open}
      title={t("command.new")}
      onClose={onClose}
      actions={
        <Button busy={busy} onClick={() => void make()}>
          {t("new.make")}
        </Button>
      }
    >
      {error !== null && <ErrorNote error={error} />}
      <Kinds chosen={kind} onChoose={choose} />
      {kind !== "empty" && (
        <NumberInput
          key={kind}
          label={t("new.seats")}
          value={seats}
          onChange={setSeats}
          whole={[1, SEATS_MAX, 10]}
        />
      )}
    </Dialog>
  );
}

function Kinds({ chosen, onChoose }: { chosen: Kind; onChoose: (kind: Kind) => void }) {
  const { t } = useTranslation("editor");
  return (
    <fieldset className="editor-kinds">
      <legend className="visually-hidden">{t("new.kinds")}</legend>
      {KINDS.map((name) => (
        <label key={name} data-chosen={chosen === name || undefined}>
          <input
            type="radio"
            name="kind"
            className="visually-hidden"
            checked={chosen === name}
            onChange={() => onChoose(name)}
          />
          <KindPicture name={name} />
          <span>{t(`new.kind.${name}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function KindPicture({ name }: { name: Kind }) {
  return (
    <svg width="72" height="48" viewBox="0 0 72 48" aria-hidden="true">
      {name === "empty" ? (
        <path d="M36 14v20M26 24h20" className="editor-kind-plus" />
      ) : (
        <rect x="24" y="4" width="24" height="3" rx="1.5" className="editor-kind-stage" />
      )}
      {SIGNS[name].map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={name === "banquet" ? 4.4 : 2.2} />
      ))}
    </svg>
  );
}

const grid = (columns: number, rows: number, bend = 0, apart = [6.4, 7]): [number, number][] =>
  Array.from({ length: columns * rows }, (_, at): [number, number] => {
    const x = (at % columns) - (columns - 1) / 2;
    const [across = 0, back = 0] = apart;
    return [36 + x * across, 22 + Math.floor(at / columns) * back - bend * x * x];
  });

const SIGNS: Readonly<Record<Kind, [number, number][]>> = {
  screen: grid(9, 4),
  theatre: grid(9, 4, 0.42),
  arena: Array.from({ length: 32 }, (_, at): [number, number] => {
    const [angle, far] = [(at / 16) * 2 * Math.PI, at < 16 ? 1 : 1.35];
    return [36 + 20 * far * Math.sin(angle), 26 - 12 * far * Math.cos(angle)];
  }),
  banquet: grid(3, 2, 0, [18, 18]),
  classroom: grid(9, 3).filter(([x]) => Math.abs(x - 26.4) > 1 && Math.abs(x - 45.6) > 1),
  empty: [],
};
