// What is asked of the API one by one and shown together.
/** What is asked for; `data` is undefined as long as it is not known. */
export type Wanted<T> = {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
};

/** All of what is asked for one by one, once all of it is known; asking again asks for what failed. */
export function allOf<T>(found: readonly Wanted<T>[]): Wanted<readonly T[]> {
  const known = found.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const failed = found.filter(({ data, error }) => data === undefined && error !== null);
  return {
    data: known.length === found.length ? known : undefined,
    error: failed[0]?.error ?? null,
    refetch: () => failed.map((one) => one.refetch()),
  };
}
