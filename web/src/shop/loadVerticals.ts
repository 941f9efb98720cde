// Brings the verticals of the shop.
import type { ShopVertical } from "./verticals";

type Loader = () => Promise<ShopVertical>;

const FOUND = import.meta.glob<ShopVertical>("./*/vertical.tsx", { import: "vertical" });

/** Undefined if the shop has no pages for it. */
export function verticalNamed(
  name: string,
  found: Readonly<Record<string, Loader>> = FOUND,
): Loader | undefined {
  return Object.hasOwn(found, `./${name}/vertical.tsx`)
    ? found[`./${name}/vertical.tsx`]
    : undefined;
}

/** Loads the installed verticals that have pages, in order, those that come last behind the others. */
export async function loadVerticals(names: readonly string[]): Promise<ShopVertical[]> {
  const loaders = names.map((name) => verticalNamed(name)).filter((load) => load !== undefined);
  return inOrder(await Promise.all(loaders.map((load) => load())));
}

export function inOrder<Of extends Pick<ShopVertical, "comesLast">>(of: readonly Of[]): Of[] {
  return of.toSorted((one, other) => Number(one.comesLast ?? 0) - Number(other.comesLast ?? 0));
}

/** Brings the verticals before it is known which are installed; there is hardly one in the pages that is
 * not. */
export async function loadAllVerticals(): Promise<void> {
  await Promise.all(Object.values(FOUND).map((load) => load()));
}
