// The timeline of a booking, from its hold to its refunds.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { EventKind, TimelineEntry } from "~/api/schema";
import { Icon, type IconName, Loaded } from "~/design";
import { money } from "~/i18n/format";
import { Actor, Panel, span, When } from "../parts";
import { api } from "../session";
import { useTitled } from "./titled";
import { takenInWords } from "./units";

type Look = { readonly icon: IconName; readonly tone: "plain" | "good" | "warn" | "bad" };

const LOOKS: Partial<Record<EventKind, Look>> = {
  held: { icon: "clock", tone: "plain" },
  extended: { icon: "clock", tone: "plain" },
  confirmed: { icon: "check", tone: "good" },
  released: { icon: "close", tone: "plain" },
  expired: { icon: "clock", tone: "warn" },
  cancelled: { icon: "close", tone: "warn" },
  payment_begun: { icon: "card", tone: "plain" },
  payment_authorized: { icon: "card", tone: "plain" },
  payment_captured: { icon: "card", tone: "good" },
  payment_failed: { icon: "card", tone: "bad" },
  payment_voided: { icon: "card", tone: "plain" },
  payment_late: { icon: "warning", tone: "warn" },
  refund_begun: { icon: "refund", tone: "plain" },
  refunded: { icon: "refund", tone: "good" },
  refund_failed: { icon: "warning", tone: "bad" },
  moved: { icon: "rooms", tone: "plain" },
  checked_in: { icon: "person", tone: "good" },
  erased: { icon: "person", tone: "plain" },
};
const OTHER: Look = { icon: "today", tone: "plain" };

/** The timeline; refetched when `seen` changes. */
export function TimelinePanel({ booking, seen }: { booking: string; seen: string }) {
  const { t } = useTranslation("console");
  const timeline = useQuery({
    queryKey: ["booking", booking, "timeline", seen],
    queryFn: () =>
      api.GET("/v1/bookings/{booking_id}/timeline", {
        path: { booking_id: booking },
      }),
    placeholderData: (before) => before,
  });
  const entitle = useTitled(timeline.data?.items.flatMap(({ lines }) => lines) ?? []);
  return (
    <Panel title={t("timeline.title")}>
      <Loaded of={timeline} height="16rem">
        {(data) => (
          <ol role="list" className="console-timeline">
            {data.items.map((entry, at) => (
              <Entry
                key={`${entry.at} ${entry.kind} ${at}`}
                entry={{ ...entry, lines: entry.lines.map(entitle) }}
                before={data.items[at - 1]}
              />
            ))}
          </ol>
        )}
      </Loaded>
    </Panel>
  );
}

function Entry({ entry, before }: { entry: TimelineEntry; before: TimelineEntry | undefined }) {
  const { t } = useTranslation("console");
  const look = LOOKS[entry.kind] ?? OTHER;
  return (
    <li data-tone={look.tone}>
      <span className="console-timeline-icon">
        <Icon name={look.icon} size={18} />
      </span>
      <div className="console-timeline-body">
        <div className="console-timeline-head">
          <strong>{t(`timeline.kinds.${entry.kind}`)}</strong>
          <EntryFacts entry={entry} />
        </div>
        <p className="console-quiet">
          <When at={entry.at} exact />
          {before && gap(before.at, entry.at) > 0 && (
            <> · {t("timeline.after", { time: span(gap(before.at, entry.at)) })}</>
          )}
          {entry.actor !== null && (
            <>
              {" · "}
              <Actor actor={entry.actor} />
            </>
          )}
        </p>
      </div>
    </li>
  );
}

function gap(from: string, to: string): number {
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
}

function EntryFacts({ entry }: { entry: TimelineEntry }) {
  const { data, lines } = entry;
  const text = (name: string) => {
    const value = data?.[name];
    return typeof value === "string" ? value : null;
  };
  const amount = data?.["amount"];
  const currency = text("currency");
  return (
    <span className="console-timeline-facts">
      {lines.length > 0 && <span>{takenInWords(lines)}</span>}
      {typeof amount === "number" && currency !== null && (
        <strong className="tabular">{money(amount, currency)}</strong>
      )}
      {[text("failure"), text("late"), text("unit"), text("gate"), text("reason")]
        .filter((fact) => fact !== null)
        .map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
    </span>
  );
}
