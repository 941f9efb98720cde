// The verticals of the widgets: each is a folder beside this file with a vertical.ts. Nothing else
// in the widgets knows their names. All are in the one file that other sites load.

/** A kind of resource, the path of the API that says how the sale of one stands, and elements. */
export type WidgetVertical = Readonly<{
  kind: string;
  path: string;
  elements: readonly (readonly [string, CustomElementConstructor])[];
}>;

const FOUND = import.meta.glob<WidgetVertical>("./*/vertical.ts", {
  import: "vertical",
  eager: true,
});

export const verticals = (): readonly WidgetVertical[] => Object.values(FOUND);

/** Where to ask how the sale of a resource stands, if a vertical knows its kind. */
export function pathOfKind(kind: string): string | undefined {
  return verticals().find((vertical) => vertical.kind === kind)?.path;
}
