// Every command by its name: type, choose, done.
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "~/design";
import { COMMANDS, isOn, type Command } from "../commands";
import { useEditor } from "../context";
import { keysOf } from "../CommandButton";

export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation("editor");
  return (
    <Dialog open={open} title={t("palette.title")} onClose={onClose}>
      <Finder onClose={onClose} />
    </Dialog>
  );
}

function Finder({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("editor");
  const editor = useEditor();
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The dialog opens after this, and would give the focus to its first button.
    const frame = requestAnimationFrame(() => input.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const words = query.toLowerCase().split(/\s+/u);
  const found = COMMANDS.filter((command) => {
    const name = t(`command.${command.id}`).toLowerCase();
    const isFound = words.every((word) => name.includes(word));
    return isFound && command.id !== "palette" && isOn(command, editor);
  });
  const current = found[Math.min(at, found.length - 1)];
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    // The dialog gives the focus back first; a command may then take it.
    setTimeout(() => command.run(editor), 0);
  };
  const step = (by: number) =>
    setAt((now) => Math.max(0, Math.min(found.length - 1, Math.min(now, found.length - 1) + by)));
  const keys: Record<string, () => void> = {
    Enter: () => run(current),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
  };
  return (
    <div className="editor-palette">
      <input
        className="input"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={current && `${id}-${current.id}`}
        aria-label={t("palette.find")}
        placeholder={t("palette.find")}
        ref={input}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (!act) return;
          event.preventDefault();
          act();
        }}
      />
      <Found id={id} commands={found} current={current} onRun={run} />
      {found.length === 0 && <p className="editor-text">{t("palette.none")}</p>}
    </div>
  );
}

type FoundProps = {
  id: string;
  commands: readonly Command[];
  current: Command | undefined;
  onRun: (command: Command) => void;
};

function Found({ id, commands, current, onRun }: FoundProps) {
  const { t } = useTranslation("editor");
  return (
    <div
      className="editor-choices"
      role="listbox"
      id={`${id}-list`}
      aria-label={t("palette.title")}
    >
      {commands.map((command) => (
        // The field has the keys, as it has the focus.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={command.id}
          ref={command === current ? show : null}
          id={`${id}-${command.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={command === current}
          onClick={() => onRun(command)}
        >
          <span>{t(`command.${command.id}`)}</span>
          {command.keys && <kbd>{keysOf(command.keys)}</kbd>}
        </div>
      ))}
    </div>
  );
}

const show = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });
