// A picture of a place to stay, drawn by its kind and coloured by its id: the same one each time. It only repeats
// what text says, so it is hidden from screen readers.
import type { PropertyKind } from "./words";

const HOUSES: Record<PropertyKind, string> = {
  hotel:
    "M100 170V62h120v108zM118 78h16v16h-16zM152 78h16v16h-16zM186 78h16v16h-16zM118 108h16v16h-16zM152 108h16v16h-16zM186 108h16v16h-16zM150 140h20v30h-20z",
  guesthouse: "M92 170V96l68-42 68 42v74zM112 108h20v20h-20zM188 108h20v20h-20zM148 132h24v38h-24z",
  hostel:
    "M84 170V84h152v86zM100 98h26v14h-26zM147 98h26v14h-26zM194 98h26v14h-26zM100 126h26v14h-26zM194 126h26v14h-26zM147 132h26v38h-26z",
  apartment:
    "M120 170V46h80v124zM134 60h20v12h-20zM166 60h20v12h-20zM134 86h20v12h-20zM166 86h20v12h-20zM134 112h20v12h-20zM166 112h20v12h-20zM150 142h20v28h-20z",
  house: "M88 170v-62l40-34h64l40 34v62zM108 116h22v20h-22zM190 116h22v20h-22zM150 126h20v44h-20z",
  cabin: "M96 170v-10l64-104 64 104v10zM150 128h20v42h-20zM148 96h24v16h-24z",
  campsite: "M76 170l64-92 64 92zM140 170l0-44 24 44zM214 170l26-40 26 40z",
};
const HILLS = [
  "M0 150q60-46 130-18t120-22 70 12v58H0z",
  "M0 140q80-60 150-16t170-30v86H0z",
  "M0 146l60-44 48 34 66-58 70 50 76-34v86H0z",
];

type PictureProps = { kind: PropertyKind; of: string; className?: string };

export function StayPicture({ kind, of, className }: PictureProps) {
  const seed = hash(of);
  const hue = seed % 360;
  const isNight = seed % 5 === 0;
  const sky = isNight ? `hsl(${hue} 38% 26%)` : `hsl(${hue} 62% 84%)`;
  const hills = isNight ? `hsl(${hue} 32% 19%)` : `hsl(${(hue + 40) % 360} 34% 68%)`;
  const house = isNight ? `hsl(${(hue + 200) % 360} 30% 34%)` : `hsl(${(hue + 190) % 360} 38% 40%)`;
  const sun = isNight ? "#fff6d8" : "#fffdf2";
  return (
    <svg
      className={className === undefined ? "stay-picture" : `stay-picture ${className}`}
      viewBox="0 0 320 200"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <rect width="320" height="200" fill={sky} />
      <circle cx={50 + (seed % 220)} cy={38 + (seed % 24)} r="18" fill={sun} />
      <path d={HILLS[seed % HILLS.length]} fill={hills} />
      <path d={HOUSES[kind]} fill={house} fillRule="evenodd" />
      <rect y="169" width="320" height="31" fill={hills} />
    </svg>
  );
}

/** A number from a text, the same each time (FNV-1a). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}
