// What of a form differs from what it began with, and whether somebody else has changed the same. All
// that a form says is compared by the names under which it is sent.

const same = (one: object, other: object, name: string) =>
  JSON.stringify(Reflect.get(one, name)) === JSON.stringify(Reflect.get(other, name));

/** The names whose values differ. */
export function differing(one: object, other: object): Set<string> {
  return new Set(Object.keys(one).filter((name) => !same(one, other, name)));
}

/** Only what differs of `after`: the rest stays as it is, also where it was made elsewhere. */
export function changed(before: object, after: object) {
  return Object.fromEntries(Object.entries(after).filter(([name]) => !same(before, after, name)));
}

/** Whether somebody else changed since `before` what `change` is to change, to something else. */
export function isOver(before: object, now: object, change: object): boolean {
  return [...differing(before, now)].some((name) => name in change && !same(change, now, name));
}

/** The draft of what was saved, with what was typed while it was on its way: that is not saved yet. */
export function typedSince<Draft extends object>(sent: Draft, typed: Draft, saved: Draft): Draft {
  const since = Object.entries(typed).filter(([name, value]) => value !== Reflect.get(sent, name));
  return { ...saved, ...Object.fromEntries(since) };
}
