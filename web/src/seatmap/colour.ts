// Colours as numbers: mixing, and enough contrast.

export type Rgb = readonly [number, number, number];

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

/** Parses any CSS colour; `instead` if it is none. */
export function parseColour(text: string, instead: Rgb = [128, 128, 128]): Rgb {
  const hex = HEX.exec(text.trim());
  if (hex !== null) {
    const [red, green, blue] = hex.slice(1).map((part) => Number.parseInt(part, 16));
    return [red ?? 0, green ?? 0, blue ?? 0];
  }
  if (typeof CSS === "undefined" || !CSS.supports("color", text.trim())) return instead;
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return instead;
  context.fillStyle = text.trim();
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return [red ?? 0, green ?? 0, blue ?? 0];
}

export function css([red, green, blue]: Rgb, alpha = 1): string {
  const whole = [red, green, blue].map((part) => Math.round(part)).join(" ");
  return alpha === 1 ? `rgb(${whole})` : `rgb(${whole} / ${alpha})`;
}

/** Mixes two colours: share 0 is the first, 1 the second. */
export function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const part = (place: 0 | 1 | 2) => one[place] + (other[place] - one[place]) * share;
  return [part(0), part(1), part(2)];
}

/** Relative luminance, as the accessibility guidelines define it. */
export function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** The contrast of two colours: 1 for the same, 21 for black on white. */
export function contrast(one: Rgb, other: Rgb): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
const STEPS = 20;

/** The colour, or the nearest one with this contrast to a background. */
export function standingOut(colour: Rgb, ground: Rgb, least: number): Rgb {
  const towards = luminance(ground) > 0.18 ? BLACK : WHITE;
  for (let step = 0; step <= STEPS; step += 1) {
    const tried = mix(colour, towards, step / STEPS);
    if (contrast(tried, ground) >= least) return tried;
  }
  return towards;
}

export function inkOn(ground: Rgb): Rgb {
  const dark: Rgb = [22, 20, 34];
  return contrast(dark, ground) >= contrast(WHITE, ground) ? dark : WHITE;
}
