// The dialog that moves a stay to another room of its listing.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field, Select } from "~/design";
import { Act } from "../parts";
import { api } from "../session";
import { BOARD } from "./calls";
import { shortDay } from "./days";
import { goalsOf, isWithin, type Moving } from "./moves";

type MoveProps = { moving: Moving; onRoom: (room: string) => void; onEnd: () => void };

export function MoveStay({ moving, onRoom, onEnd }: MoveProps) {
  const { t } = useTranslation("board");
  const { listing, stay, to } = moving;
  const [writes, setWrites] = useState(true);
  const [nights, setNights] = useState({ from: stay.from, to: stay.to });
  const guest = stay.guest ?? stay.code ?? "";
  const goals = goalsOf(listing, { ...stay, ...nights });
  const move = async (key: string) => {
    await api.POST("/v1/bookings/{booking_id}/moves", {
      path: { booking_id: stay.id },
      key,
      body: {
        resource_id: listing.id,
        send_mail: writes,
        moves: [
          {
            from_unit: stay.room ?? "",
            to_unit: to,
            nights_from: nights.from,
            nights_to: nights.to,
          },
        ],
      },
    });
    return t("moved", { guest, room: to });
  };
  return (
    <Act
      open
      title={t("move_title")}
      verb={t("move_verb")}
      disabled={to === "" || !isWithin(stay, nights)}
      onClose={onEnd}
      refetches={[BOARD]}
      act={move}
    >
      <p>{t("move_text", { guest, from: shortDay(stay.from), to: shortDay(stay.to) })}</p>
      <Select label={t("to_room")} value={to} onChange={({ target }) => onRoom(target.value)}>
        <option value="">{t("choose_room")}</option>
        {goals.map(({ room, taken }) => (
          <option key={room} value={room} disabled={taken !== null && room !== to}>
            {taken === null ? room : t(`room_${taken}`, { room })}
          </option>
        ))}
      </Select>
      <div className="board-nights">
        <Field
          label={t("move_from")}
          type="date"
          required
          min={stay.from}
          max={stay.to}
          value={nights.from}
          onChange={({ target }) => setNights({ ...nights, from: target.value })}
        />
        <Field
          label={t("move_to")}
          type="date"
          required
          min={stay.from}
          max={stay.to}
          value={nights.to}
          onChange={({ target }) => setNights({ ...nights, to: target.value })}
        />
      </div>
      <label className="console-tick">
        <input
          type="checkbox"
          checked={writes}
          onChange={({ target }) => setWrites(target.checked)}
        />
        {t("move_writes")}
      </label>
    </Act>
  );
}
