// A value that changes, for a page or a framework that shows it.

/** Read it with `get`, and be told of each change with `subscribe`, which answers how to end that. The
 * value is another object after each change, so that React's `useSyncExternalStore` takes both. */
export interface Readable<Value> {
  readonly get: () => Value;
  readonly subscribe: (listener: () => void) => () => void;
}

export class Store<Value> implements Readable<Value> {
  #value: Value;
  readonly #listeners = new Set<() => void>();
  readonly #onFirst: (() => void) | undefined;
  readonly #onLast: (() => void) | undefined;

  /** `onFirst` when somebody begins to look, `onLast` when nobody does any more. */
  constructor(value: Value, onFirst?: () => void, onLast?: () => void) {
    this.#value = value;
    this.#onFirst = onFirst;
    this.#onLast = onLast;
  }

  readonly get = (): Value => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#onFirst?.();
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#onLast?.();
    };
  };

  set(value: Value): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }
}
