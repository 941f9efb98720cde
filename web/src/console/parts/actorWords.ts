// What an actor is called, as a page says it.

const PROVIDER = "provider:";
const KNOWN = ["shopper", "sweeper", "system", "cli"] as const;

export type ActorWords = {
  readonly who: (typeof KNOWN)[number] | "provider" | "named";
  /** Kept apart from the text around it, which may run the other way. */
  readonly name: string;
};

/** Which words say who it was, with the name in them. */
export function actorWords(
  actor: string,
  names: ReadonlyMap<string, string> | undefined,
): ActorWords {
  const known = KNOWN.find((one) => one === actor);
  if (known !== undefined) return { who: known, name: "" };
  if (actor.startsWith(PROVIDER)) {
    return { who: "provider", name: isolated(actor.slice(PROVIDER.length)) };
  }
  return { who: "named", name: isolated(names?.get(actor) ?? actor) };
}

function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
