// Runs an import of a vertical, or its dry run. Syntax errors of the file are reported like other
// problems.
import type { PathsWithMethod } from "openapi-typescript-helpers";
import { idempotencyKey, Problem } from "~/api/client";
import type { paths } from "~/api/schema";
import type { ImportReport } from "../types";
import { api } from "../session";
import { brokenAt } from "./jsonPosition";

/** That of any vertical: all take the same and answer the same. */
type ImportPath = Extract<PathsWithMethod<paths, "post">, `/v1/${string}/import`>;

const SECONDS_MAX = 60;
const NOTHING = { applied: false, created: {}, updated: {}, unchanged: {} };

/** With `check`, a dry run. Throws the Problem of another failure. */
export async function runImport(
  vertical: string,
  text: string,
  check: boolean,
): Promise<ImportReport> {
  const broken = brokenAt(text);
  if (broken !== null) {
    const where = `line ${broken.line}, column ${broken.column}`;
    return { ...NOTHING, problems: [{ where, code: "invalid_json", detail: "" }] };
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its name is known at run time
  const path = `/v1/${encodeURIComponent(vertical)}/import` as ImportPath;
  const call = { query: { check }, key: idempotencyKey(), seconds: SECONDS_MAX };
  try {
    return await api.POST(path, { ...call, body: JSON.parse(text) });
  } catch (error) {
    const problem = error instanceof Problem ? asReport(error) : null;
    if (problem === null) throw error;
    return problem;
  }
}

/** A refused document as a report, if the refusal names a field. */
function asReport(problem: Problem): ImportReport | null {
  const field = problem.data["field"];
  if (problem.code !== "invalid_request" || typeof field !== "string") return null;
  return {
    ...NOTHING,
    problems: [{ where: field, code: problem.code, detail: problem.message }],
  };
}
