// Refusals and faults. Every problem that the API documents is a member of one union, and its `code`
// says which; BespeakError carries it, and so do calls that got no answer.
import type { components } from "./schema.ts";

type Schemas = components["schemas"];
/** What every problem has; those of the public API are known by their code. */
export type Documented = { code: string; status: number; detail: string; retryable: boolean };
/** A problem's document; those whose code is any text are none. */
type DocumentOf<Shape> = Shape extends Documented
  ? string extends Shape["code"]
    ? never
    : Shape
  : never;

/** What the API answers where it refuses or fails; look at `code` first. */
export type KnownProblem = { [Name in keyof Schemas]: DocumentOf<Schemas[Name]> }[keyof Schemas];

/** No answer came, or none of Bespeak's: what was asked for may be done all the same. */
export type UnreachableProblem = {
  code: "server_unreachable";
  status: 0;
  title: string;
  detail: string;
  retryable: true;
};

export type Problem = KnownProblem | UnreachableProblem;
export type ErrorCode = Problem["code"];
/** The problem of a code. */
export type ProblemOf<Code extends ErrorCode> = Extract<Problem, { code: Code }>;

/** A refused or failed call. `problem` has what its code brings along, as conflicts and alternatives;
 * a newer server may answer a code that is not in the types. */
export class BespeakError<Known extends Documented = Problem> extends Error {
  override readonly name = "BespeakError";
  readonly code: Known["code"];
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly problem: Known;
  /** How long the server asks to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Known, retryAfterSeconds?: number, cause?: unknown) {
    super(problem.detail, { cause });
    this.problem = problem;
    this.code = problem.code;
    this.status = problem.status;
    this.retryable = problem.retryable;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the service was away or asked for patience: the same request is right a moment later. */
  get isUnavailable(): boolean {
    return this.retryable && (this.status === 0 || this.status === 429 || this.status >= 500);
  }
}

/** Whether an error is a BespeakError with one of these codes, whose problem is then known. */
export function hasCode<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is BespeakError<ProblemOf<Code>> {
  return error instanceof BespeakError && codes.some((code) => code === error.code);
}

/** The error of a call without an answer of Bespeak's. */
export function unreachable(detail: string, cause?: unknown): BespeakError<UnreachableProblem> {
  const title = "The server did not answer";
  return new BespeakError(
    { code: "server_unreachable", status: 0, title, detail, retryable: true },
    undefined,
    cause,
  );
}

/** The error of an argument that makes no sense; nothing was sent. */
export function invalid(field: string, detail: string): BespeakError<ProblemOf<"invalid_request">> {
  return new BespeakError({
    type: "/docs#invalid_request",
    title: "The request makes no sense as it is",
    status: 422,
    code: "invalid_request",
    detail,
    retryable: false,
    request_id: "",
    field,
  });
}

const SHOWN_MAX = 200;

/** The error that an answer stands for. */
export function errorOf(status: number, text: string, headers: Headers): BespeakError {
  const found = problemIn(status, text);
  if (found === null) {
    return unreachable(`status ${status}, and no problem document: ${text.slice(0, SHOWN_MAX)}`);
  }
  const seconds = headers.get("retry-after") ?? "";
  return new BespeakError(found, /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined);
}

/** The error that a part of an answer stands for. */
export function errorOfPart(status: number, part: Readonly<Record<string, unknown>>): BespeakError {
  const seconds = part["retry_after_seconds"];
  const headers = typeof seconds === "number" ? { "retry-after": `${Math.ceil(seconds)}` } : {};
  return errorOf(status, JSON.stringify(part), new Headers(headers));
}

function problemIn(status: number, text: string): Problem | null {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof found !== "object" || found === null) return null;
  const problem: object = { status, title: "", detail: "", retryable: false, ...found };
  return isProblem(problem) ? problem : null;
}

// Its other fields are as the document says, as those of every answer.
function isProblem(value: object): value is Problem {
  const { code, status, detail, retryable }: Partial<Record<keyof Documented, unknown>> = value;
  return (
    typeof code === "string" &&
    typeof status === "number" &&
    typeof detail === "string" &&
    typeof retryable === "boolean"
  );
}
