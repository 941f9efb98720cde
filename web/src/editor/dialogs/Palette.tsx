// Every command by its name: type, choose, done.
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "~/design/Dialog";
import { COMMANDS, isOn, type Command } from "../commands";
import { useEditor } from "../context";
import { keysOf } from "../Header";

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
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The dialog opens after this, and would give the focus to its first button.
    const frame = requestAnimationFrame(() => input.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const name = (command: Command) => t(`command.${command.id}`);
  const found = COMMANDS.filter(
    (command) => command.id !== "palette" && isOn(command, editor),
  ).filter((command) => words.every((word) => name(command).toLowerCase().includes(word)));
  const current = Math.min(at, found.length - 1);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    // The dialog gives the focus back first; a command may then take it.
    setTimeout(() => command.run(editor), 0);
  };
  return (
    <div className="editor-palette">
      <input
        className="input"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[current] ? `${id}-${found[current].id}` : undefined}
        aria-label={t("palette.find")}
        placeholder={t("palette.find")}
        ref={input}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") run(found[current]);
          else if (event.key === "ArrowDown") setAt(Math.min(found.length - 1, current + 1));
          else if (event.key === "ArrowUp") setAt(Math.max(0, current - 1));
          else return;
          event.preventDefault();
        }}
      />
      <div
        ref={list}
        className="editor-choices"
        role="listbox"
        id={`${id}-list`}
        aria-label={t("palette.title")}
      >
        {found.map((command, number) => (
          // The field has the keys, as it has the focus.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={command.id}
            id={`${id}-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={number === current}
            onClick={() => run(command)}
          >
            <span>{name(command)}</span>
            {command.keys && <kbd>{keysOf(command.keys)}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="editor-text">{t("palette.none")}</p>}
    </div>
  );
}
