// A page of something that is read: a placeholder, what could not be read, or the page.
import { useDeferredValue, type ReactNode } from "react";
import { Problem } from "~/api/client";
import { ErrorNote } from "~/design";
import { NotFound, type What } from "./NotFound";
import { PageWait } from "./Page";

type PageOfProps<T> = {
  what: What;
  query: { data: T | undefined; error: unknown; refetch: () => unknown };
  children: (data: T) => ReactNode;
};

export function PageOf<T>({ what, query: { data, error, refetch }, children }: PageOfProps<T>) {
  // In pieces: a slow processor answers the visitor between them.
  const shown = useDeferredValue(data);
  if (shown !== undefined) return children(shown);
  if (!error) return <PageWait />;
  if (error instanceof Problem && [403, 404, 422].includes(error.status)) {
    return <NotFound what={what} />;
  }
  return (
    <div className="shop-page">
      <ErrorNote error={error} onRetry={() => void refetch()} />
    </div>
  );
}
