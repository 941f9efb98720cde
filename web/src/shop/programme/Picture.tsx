// The picture of an event; where there is none, a field in a colour of its own with the title on it.
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";

type PictureProps = {
  title: string;
  picture: string | null;
  /** What is to be seen; by itself it has no alt text, because the title is beside it. */
  text?: string | null;
  isWhole?: boolean;
  isFirst?: boolean;
};

/** A hue that a title always has. */
export function hueOf(title: string): number {
  let sum = 0;
  for (const character of title) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return sum;
}

export function hueStyle(title: string): CSSProperties & Record<`--${string}`, string> {
  return { "--hue": String(hueOf(title)) };
}

export function Picture({ title, picture, text, isWhole = false, isFirst = false }: PictureProps) {
  const { t } = useTranslation("shop_events");
  if (picture === null) {
    return (
      <div className="events-picture" style={hueStyle(title)} aria-hidden="true">
        <span>
          <bdi>{title}</bdi>
        </span>
      </div>
    );
  }
  const alt = text === undefined ? "" : (text ?? t("picture_of", { title }));
  return (
    <img
      className="events-picture"
      style={hueStyle(title)}
      src={isWhole ? picture : `${picture}&size=card`}
      alt={alt}
      width="640"
      height="400"
      loading={isFirst ? "eager" : "lazy"}
      decoding="async"
    />
  );
}
