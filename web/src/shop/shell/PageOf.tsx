// A page of something that is read: a placeholder, what could not be read, or the page.
import type { ReactNode } from "react";
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
  if (data !== undefined) return children(data);
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
