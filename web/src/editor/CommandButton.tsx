// A command as a button with its icon; a tip says its name and its keys.
import { useTranslation } from "react-i18next";
import { commandOf, isOn } from "./commands";
import { useEditor } from "./context";
import { ToolIcon } from "./Icon";

type Props = {
  id: string;
  size?: number;
  isPressed?: boolean;
  /** Whether the tip stands below it, not beside it. */
  isTipBelow?: boolean;
};

export function CommandButton({ id, size = 20, isPressed, isTipBelow }: Props) {
  const { t } = useTranslation("editor");
  const editor = useEditor();
  const command = commandOf(id);
  const name = t(`command.${id}`);
  return (
    <button
      type="button"
      className="editor-tool"
      aria-pressed={isPressed}
      aria-label={name}
      data-tip={command.keys ? `${name}  ${keysOf(command.keys)}` : name}
      data-tip-below={isTipBelow || undefined}
      disabled={!isOn(command, editor)}
      onClick={() => command.run(editor)}
    >
      <ToolIcon name={command.icon ?? "new"} size={size} />
    </button>
  );
}

const isMac = /Mac|iPhone|iPad/u.test(globalThis.navigator?.userAgent ?? "");

/** A shortcut as the keys of this device are called. */
export const keysOf = (keys: string): string =>
  isMac ? keys.replace("Mod+", "⌘").replace("Shift+", "⇧") : keys.replace("Mod", "Ctrl");
