// Which operation is which verb of the clients, and with what: the one table of it. Tests hold it to
// the clients. An entry begins with the verb; behind it come its arguments: `path.hold_id` and
// `body.lines` are one value, `body` all of them, `*body` what is left of them by name, and
// `body:NewResource` all of them as this struct.
import verbs from "./verbs.json";

export type Language = "python" | "javascript";

export function verbOf(operationId: string, language: Language): readonly string[] | null {
  const found: Readonly<Record<string, Partial<Record<Language, readonly string[]>>>> = verbs;
  return found[operationId]?.[language] ?? null;
}
