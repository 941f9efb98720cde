// The theme of the map: colours of the page, and of each category with enough contrast.
import { css, inkOn, mix, parseColour, standingOut, type Rgb } from "./colour";
import type { RoomCategory } from "./room";

export type CategoryLook = {
  readonly fill: string;
  /** The border of a seat, so that pale colours are visible. */
  readonly edge: string;
  /** For seats drawn as dots. */
  readonly dot: string;
  readonly soft: string;
  readonly ink: string;
};

export type Look = {
  readonly paper: string;
  readonly paperGone: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly taken: string;
  readonly takenInk: string;
  readonly accent: string;
  readonly accentInk: string;
  readonly accentSoft: string;
  readonly glow: string;
  readonly fade: string;
  readonly font: string;
  readonly isDark: boolean;
  readonly categories: readonly CategoryLook[];
};

export type Theme = { paper: Rgb; ink: Rgb; accent: Rgb; font: string };

/** For categories without a colour in the plan. They differ in lightness, not only in hue. */
const PALETTE = [
  "#5b53c8",
  "#0f7d78",
  "#c25a1d",
  "#b03a77",
  "#4b7a1f",
  "#2b6cb0",
  "#8a6d1b",
  "#7a4b94",
];
const SHAPE_CONTRAST = 3;
const TEXT_CONTRAST = 4.5;

export function makeLook(theme: Theme, categories: readonly RoomCategory[]): Look {
  const { paper, ink, accent } = theme;
  const muted = standingOut(mix(ink, paper, 0.45), paper, TEXT_CONTRAST);
  const isDark = inkOn(paper)[0] === 255;
  const taken = mix(paper, ink, isDark ? 0.15 : 0.11);
  return {
    paper: css(paper),
    paperGone: css(paper, 0),
    ink: css(ink),
    muted: css(muted),
    line: css(mix(paper, ink, 0.24)),
    taken: css(taken),
    takenInk: css(standingOut(mix(paper, ink, 0.4), taken, 2.2)),
    accent: css(accent),
    accentInk: css(inkOn(accent)),
    accentSoft: css(mix(paper, accent, 0.18)),
    glow: css(isDark ? mix(accent, [255, 255, 255], 0.5) : accent, isDark ? 0.26 : 0.16),
    fade: css(accent, 0),
    font: theme.font,
    isDark,
    categories: categories.map(({ color }, number) => {
      const usual = PALETTE[number % PALETTE.length] ?? "#5b53c8";
      return categoryLook(parseColour(color ?? usual), paper, isDark);
    }),
  };
}

function categoryLook(given: Rgb, paper: Rgb, isDark: boolean): CategoryLook {
  const fill = isDark ? standingOut(given, paper, 2.4) : given;
  const edge = standingOut(
    mix(fill, isDark ? [255, 255, 255] : [0, 0, 0], 0.14),
    paper,
    SHAPE_CONTRAST,
  );
  return {
    fill: css(fill),
    edge: css(edge),
    dot: css(mix(fill, edge, 0.4)),
    soft: css(fill, isDark ? 0.16 : 0.13),
    ink: css(inkOn(fill)),
  };
}
