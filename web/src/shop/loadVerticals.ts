// Brings the verticals of the shop, and with them the program of the page that was asked for.
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

/** Loads the installed verticals that have pages, in order. */
export async function loadVerticals(names: readonly string[]): Promise<ShopVertical[]> {
  const loaders = names.map((name) => verticalNamed(name)).filter((load) => load !== undefined);
  return Promise.all(loaders.map((load) => load()));
}

/** Brings the program of the page at a path, if one of these verticals has it. */
export async function loadPageOf(names: readonly string[], path: string): Promise<void> {
  const verticals = await loadVerticals(names);
  const route = verticals.flatMap(({ routes }) => routes).find((one) => fits(one.path, path));
  await route?.load?.();
}

/** Whether a path is one of a route such as `/films/:film`. */
export function fits(route: string, path: string): boolean {
  const parts = path.split("/");
  const wanted = route.split("/");
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => part.startsWith(":") || part === parts[index])
  );
}
