// A part of the pages that is brought when it is needed, or ahead of that. One that is here is shown at
// once: React would show what stands in for it first, and keep that for a third of a second.
import { lazy, useState, type ComponentType } from "react";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;
export type Part<Props> = ComponentType<Props> & { bring: () => Promise<unknown> };

export function part<Props extends object>(load: Load<Props>): Part<Props> {
  let here: ComponentType<Props> | null = null;
  const bring = async () => {
    const found = await load();
    here = found.default;
    return found;
  };
  const Later = lazy(bring);
  function Shown(props: Props) {
    // What was begun stays: another component would lose the state of the page.
    const [Page] = useState<ComponentType<Props>>(() => here ?? Later);
    return <Page {...props} />;
  }
  return Object.assign(Shown, { bring });
}
