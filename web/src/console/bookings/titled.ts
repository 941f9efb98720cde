// Who gives an appointment, by what people call them. A line has the short name, by which it is sold; the title is among
// the words of its resource, in the language of the page.
import { useQueries } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Line } from "~/api/schema";
import { named, type Vocabulary } from "~/seatmap/vocabulary";
import { api } from "../session";
import { soldAs } from "./units";

type Named = Pick<Line, "resource_id"> & Partial<Pick<Line, "unit" | "rate" | "from" | "to">>;

/** Pieces of a time, as events name them. */
const PIECE = /^(.+)(@\d{4}-\d\d-\d\dT[\d:]+Z)$/;

function isOfTime(line: Named): boolean {
  return soldAs(line) === "appointment" || PIECE.test(line.unit ?? "");
}

/** The line with titles for names, where it is one of times. */
export function titled<One extends Named>(line: One, words: ReadonlyMap<string, Vocabulary>): One {
  const known = words.get(line.resource_id);
  if (known === undefined || !isOfTime(line)) return line;
  const { unit, rate } = line;
  const [, name = unit ?? "", piece = ""] = PIECE.exec(unit ?? "") ?? [];
  return {
    ...line,
    ...(unit && { unit: named(known, name) + piece }),
    ...(rate && { rate: named(known, rate) }),
  };
}

/** Gives lines like these their titles; until they are known, and of other lines, they stay as they are. */
export function useTitled(lines: readonly Named[]): <One extends Named>(line: One) => One {
  const { i18n } = useTranslation();
  const lang = i18n.language;
  const ids = [...new Set(lines.filter(isOfTime).map(({ resource_id: id }) => id))];
  const words = useQueries({
    queries: ids.map((id) => ({
      queryKey: ["resource", id, "words", lang],
      queryFn: () =>
        api.GET("/v1/resources/{resource_id}", { path: { resource_id: id }, query: { lang } }),
      staleTime: 60_000,
    })),
    combine: (found) => new Map(ids.map((id, at) => [id, found[at]?.data?.words ?? {}])),
  });
  return (line) => titled(line, words);
}
