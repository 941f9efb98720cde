// A film's poster, with a placeholder in its colours.
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";

type PosterProps = {
  film: { title: string; poster: string; hues: readonly number[] };
  /** True: the title is beside it, so it has no alt text. */
  isDecor?: boolean;
  /** Seen as the page opens. */
  isFirst?: boolean;
};

export function huesOf(hues: readonly number[]): CSSProperties & Record<`--${string}`, string> {
  return { "--hue-1": String(hues[0] ?? 260), "--hue-2": String(hues[1] ?? 30) };
}

export function Poster({ film, isDecor = true, isFirst = false }: PosterProps) {
  const { t } = useTranslation("cinema");
  return (
    <img
      className="cinema-poster"
      style={huesOf(film.hues)}
      src={film.poster}
      alt={isDecor ? "" : t("poster_of", { title: film.title })}
      width="400"
      height="600"
      loading={isFirst ? "eager" : "lazy"}
      fetchPriority={isFirst ? "high" : "low"}
      decoding={isFirst ? "sync" : "async"}
    />
  );
}
