// What a query gave: a skeleton until it is there, an error to retry, or the content.
import type { ReactNode } from "react";
import { ErrorNote, Skeleton } from "./Feedback";

type LoadedProps<T> = {
  of: { data: T | undefined; error: unknown; refetch: () => unknown };
  /** The height of what is coming. */
  height: string;
  children?: (data: T) => ReactNode;
};

/** Keeps showing data when a later refetch fails. */
export function Loaded<T>({ of: { data, error, refetch }, height, children }: LoadedProps<T>) {
  if (data !== undefined) return children?.(data);
  return error ? (
    <ErrorNote error={error} onRetry={() => void refetch()} />
  ) : (
    <Skeleton height={height} />
  );
}
