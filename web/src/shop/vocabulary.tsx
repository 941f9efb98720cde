// What the texts of the resources on a page are called in its language: names of sections, categories,
// fees. The server says it with each resource, in the language that the call asked for.
import { createContext, useContext, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { STANDARD } from "~/seatmap/plan";
import { named, type Vocabulary } from "~/seatmap/vocabulary";

const Words = createContext<Vocabulary>({});

type Worded = { readonly words?: Vocabulary | undefined };

export function VocabularyOf({ of, children }: { of: Worded | undefined; children: ReactNode }) {
  const { t } = useTranslation("shop");
  // The category of seats that nobody gave one.
  const standard = { [STANDARD]: t("seats.standard") };
  return <Words.Provider value={{ ...standard, ...of?.words }}>{children}</Words.Provider>;
}

/** Names a text in the language of the page; one that nobody translated stays as it is. */
export function useNamed(): (text: string) => string {
  const words = useContext(Words);
  return (text) => named(words, text);
}
