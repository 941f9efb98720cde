// What an attempt to pay came to. The button that was pressed was hidden meanwhile, so that the focus is
// nowhere: it is brought here, see PayForm.
import type { ReactNode } from "react";

export const OUTCOME = "[data-outcome]";

export function Outcome({ children }: { children: ReactNode }) {
  return (
    <div role="alert" tabIndex={-1} data-outcome="">
      {children}
    </div>
  );
}
