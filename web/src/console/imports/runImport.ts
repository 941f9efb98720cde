// Runs an import of a vertical, or its dry run. Syntax errors of the file are reported like other
// problems.
import { Problem } from "~/api/client";
import type { ImportReport } from "../types";
import { withQuery } from "../parts/query";
import { write } from "../request";
import { brokenAt } from "./jsonPosition";

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
  const body: unknown = JSON.parse(text);
  try {
    return await write<ImportReport>(
      withQuery(`/v1/${encodeURIComponent(vertical)}/import`, { check }),
      body,
    );
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
