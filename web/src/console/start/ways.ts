// The kinds of business that begin otherwise than with an event. Each describes itself in a `firstSteps.ts` of
// its own folder.

export type WayStep = {
  /** Its words are `start.steps` and `start.text` of this name. */
  readonly name: string;
  readonly isDone: boolean;
  readonly href: string;
  /** Which of the texts says how it stands, where it is not the usual one. */
  readonly text?: string;
  /** Known only while it is still to come: once something was sold, it has been there. */
  readonly isDoneOnceSold?: boolean;
};

/** How far one has come with it. */
export type WayStanding = {
  /** What has to be done before something of it can be published; none: all at once. */
  readonly steps: readonly WayStep[];
  /** The page of what is published next; null: nothing is there yet that could be. */
  readonly publish: string | null;
  readonly isPublished: boolean;
};

export type Way = {
  /** Its words are `start.instead` of this name. */
  readonly name: string;
  /** Where it begins. */
  readonly href: string;
  /** How it stands; null: nothing of it is there. */
  readonly read: () => Promise<WayStanding | null>;
};

export const WAYS: readonly Way[] = Object.values(
  import.meta.glob<Way>("../*/firstSteps.ts", { eager: true, import: "WAY" }),
);

/** What guests do not see yet, or else the first. */
export function draftFirst<Of extends { published: boolean }>(all: readonly Of[]): Of | undefined {
  return all.find(({ published }) => !published) ?? all[0];
}

/** Of a business that is ready to be published once there is any of it. */
export function ofPages(
  all: readonly { readonly href: string; readonly published: boolean }[],
): WayStanding | null {
  const next = draftFirst(all);
  if (next === undefined) return null;
  const isPublished = all.some(({ published }) => published);
  return { steps: [], publish: next.href, isPublished };
}
