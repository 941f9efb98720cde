// Tabs by the ARIA pattern: arrow keys move, and only the selected tab is in the tab order.
import { useRef, type KeyboardEvent, type ReactNode } from "react";

type Item = { key: string; label: ReactNode };
type TabsProps = {
  label: string;
  items: readonly Item[];
  chosen: string;
  onChoose: (key: string) => void;
};

export function Tabs({ label, items, chosen, onChoose }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent, index: number) => {
    const rtl = document.documentElement.dir === "rtl";
    const steps: Record<string, number> = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (index + step + items.length) % items.length;
    const item = items[next];
    if (item) onChoose(item.key);
    list.current?.querySelectorAll<HTMLButtonElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className="tabs">
      {items.map((item, index) => (
        <button
          key={item.key}
          type="button"
          role="tab"
          className="tab"
          aria-selected={item.key === chosen}
          tabIndex={item.key === chosen ? 0 : -1}
          onClick={() => onChoose(item.key)}
          onKeyDown={(event) => move(event, index)}
        >
          {item.label}
        </button>
      ))}
    </div>
  );
}
