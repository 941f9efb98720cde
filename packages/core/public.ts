// What both packages give out.
export {
  BespeakError,
  hasCode,
  type Documented,
  type ErrorCode,
  type KnownProblem,
  type Problem,
  type ProblemOf,
  type UnreachableProblem,
} from "./problems.ts";
export type { InLine } from "./inLine.ts";
export type { LineOptions, LineWish, QueueTokenQuery } from "./queueVerbs.ts";
export type { CallOptions, WriteOptions } from "./requests.ts";
export type * from "./schemas.ts";
export type { TransportOptions } from "./transport.ts";
export type { AvailabilityQuery, PageQuery, Paid, PayWith, Written } from "./verbs.ts";
