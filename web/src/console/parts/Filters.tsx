// What a list is narrowed by, above it. Each field counts at once, so that there is nothing to send.
import type { ReactNode } from "react";

export function Filters({ children }: { children: ReactNode }) {
  return (
    <form className="console-filters" role="search" onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}
