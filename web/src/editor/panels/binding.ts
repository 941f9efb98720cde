// What ties the inputs of a panel to the fields of the thing that it shows. What is typed into one field
// is one step to undo.
import { useEditor } from "../context";
import type { Changes } from "../document/edit";
import type { Item, Key, Parts } from "../document/items";
import { withFields } from "../document/parts";
import type { Change } from "../state";

/** What a panel is given: a thing of the room, its key, and where it stands. */
export type PanelProps<K extends keyof Parts> = {
  readonly of: Key;
  readonly item: Item<K>;
  readonly part: Parts[K];
};

/** Words that are not called like the field: of the input, and of what was done. */
const LABELS: Readonly<Record<string, string>> = { unit: "name" };
const DONE: Readonly<Record<string, string>> = {
  name: "rename",
  unit: "rename",
  label: "rename",
  text: "rename",
  kind: "shape",
  fill: "colour",
  stroke: "colour",
  width: "stage.size",
  height: "stage.size",
  without: "missing",
  aisles: "aisle",
  companions: "companion",
  outline: "points",
  x: "move",
  y: "move",
};

export function usePart<T extends object>(key: Key, part: T) {
  const { t, change } = useEditor();
  type Field = keyof T & string;
  const act = (done: string, field: string, make: Change) => change(done, make, `${key} ${field}`);
  const put = (changes: Changes<T>) => {
    const [field = ""] = Object.keys(changes);
    act(DONE[field] ?? field, field, (plan) => withFields(plan, key, changes));
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a field of T, and its own kind
  const set = (field: Field, value: unknown) => put({ [field]: value } as Changes<T>);
  const label = (field: Field) => t(`field.${LABELS[field] ?? field}`);
  return {
    act,
    put,
    text: (field: Field, isNeeded = true) => ({
      label: label(field),
      value: String(part[field] ?? ""),
      isNeeded,
      onChange: (text: string) => set(field, text === "" ? undefined : text),
    }),
    /** `usual` is what the format has where nothing is said; it is not written down. */
    number: (field: Field, usual?: number) => ({
      label: label(field),
      value: Number(part[field] ?? usual ?? 0),
      onChange: (value: number) =>
        set(field, value === usual ? undefined : Math.round(value * 1000) / 1000),
    }),
    check: (field: Field) => ({
      label: label(field),
      value: part[field] === true,
      onChange: (is: boolean) => set(field, is || undefined),
    }),
    /** One of several words, of which the first is the usual one. */
    choice: <W extends string>(field: Field, options: readonly W[], words: string) => ({
      label: label(field),
      value: String(part[field] ?? options[0]),
      options: options.map((value) => ({ value, label: t(`${words}.${value}`) })),
      onChange: (value: string) => set(field, value === options[0] ? undefined : value),
    }),
    colour: (field: Field) => ({
      label: label(field),
      value: typeof part[field] === "string" ? part[field] : null,
      onChange: (value: string | undefined) => set(field, value),
    }),
    category: (field: Field) => ({
      value: typeof part[field] === "string" ? part[field] : null,
      onChange: (category: string | null) => set(field, category ?? undefined),
    }),
  };
}
