// Formats durations.
import { number } from "~/i18n/format";

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Seconds in the one or two largest units that fit: 95 is "1 min 35 sec", 200000 is "2 days 7 hr". */
export function span(seconds: number): string {
  const whole = Math.max(0, seconds);
  const unit = (value: number, name: string, digits = 0) =>
    number(value, {
      style: "unit",
      unit: name,
      unitDisplay: "short",
      maximumFractionDigits: digits,
    });
  if (whole < 10) return unit(whole, "second", whole < 1 ? 2 : 1);
  if (whole < 60) return unit(Math.round(whole), "second");
  const [name, size] = UNITS.find((candidate) => whole >= candidate[1]) ?? UNITS[2];
  const smaller =
    size === 60 ? (["second", 1] as const) : UNITS[UNITS.findIndex((u) => u[1] === size) + 1];
  const count = Math.floor(whole / size);
  const rest = smaller === undefined ? 0 : Math.floor((whole - count * size) / smaller[1]);
  if (rest === 0 || smaller === undefined) return unit(count, name);
  return `${unit(count, name)} ${unit(rest, smaller[0])}`;
}
