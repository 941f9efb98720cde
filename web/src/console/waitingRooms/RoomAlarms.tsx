// What an operator should look at in a waiting room now, with what helps.
import { useTranslation } from "react-i18next";
import type { WaitingRoom } from "~/api/schema";
import { Note } from "~/design";
import { number } from "~/i18n/format";

export function RoomAlarms({ of: { alarms, payments, state } }: { of: WaitingRoom }) {
  const { t } = useTranslation("waiting_rooms");
  return (
    // Only what is new is read aloud, not each change of a number.
    <div role="status" aria-relevant="additions" className="waiting-alarms">
      {alarms.map(({ kind, share, cases }) => (
        <Note key={kind} tone="warn">
          <strong>
            {t(`alarms.${kind}`, { share: number(share, { style: "percent" }), cases })}
          </strong>{" "}
          {t(`alarms.${kind}_do`)}
        </Note>
      ))}
      {state === "open" && payments !== "well" && (
        <Note tone="warn">{t(`payments.${payments}`)}</Note>
      )}
    </div>
  );
}
