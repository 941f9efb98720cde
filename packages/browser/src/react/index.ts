// @bespeak/browser/react: hooks over the stores, and the seat map in JSX.
export {
  BespeakProvider,
  useBespeak,
  useCountdown,
  useHold,
  useLive,
  useAvailability,
  useSeconds,
  useStored,
} from "./hooks.ts";
export type * from "./seatmap.ts";
