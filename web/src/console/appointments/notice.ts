// Until how long before it begins a time is sold, in the unit in which one says it.
import { readWhole } from "../programme/amounts";

export const NOTICE_UNITS = ["minutes", "hours", "days"] as const;
export type NoticeUnit = (typeof NOTICE_UNITS)[number];
export type NoticeDraft = { readonly count: string; readonly unit: NoticeUnit };

const MINUTES = { minutes: 1, hours: 60, days: 1440 };
export const NOTICE_MAX = 366 * MINUTES.days;

export function noticeDraft(minutes: number): NoticeDraft {
  const unit =
    minutes > 0 && minutes % MINUTES.days === 0
      ? "days"
      : minutes > 0 && minutes % MINUTES.hours === 0
        ? "hours"
        : "minutes";
  return { count: String(minutes / MINUTES[unit]), unit };
}

export function noticeMinutes({ count, unit }: NoticeDraft): number | null {
  const read = readWhole(count, 0, NOTICE_MAX);
  return read === null ? null : read * MINUTES[unit];
}
