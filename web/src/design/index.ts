// What every page is built of.
export * from "./Button";
export * from "./Choices";
export * from "./Countdown";
export * from "./Dialog";
export * from "./Feedback";
export * from "./Field";
export * from "./Icon";
export * from "./Loaded";
export * from "./Tabs";
export * from "./Toasts";
export * from "./useNow";
export * from "./useWakeLock";
