// What stands in for a part of the pages that is still being brought: a box of its height, or nothing.
import { Suspense, type ComponentType } from "react";

export function standIn<Props extends object>(
  Part: ComponentType<Props>,
  blockSize: string | null,
): ComponentType<Props> {
  return function StandIn(props: Props) {
    return (
      <Suspense
        fallback={blockSize === null ? null : <div className="skeleton" style={{ blockSize }} />}
      >
        <Part {...props} />
      </Suspense>
    );
  };
}
