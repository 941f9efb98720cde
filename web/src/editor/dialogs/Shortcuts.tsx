// The keys of the editor, all in one place.
import { useTranslation } from "react-i18next";
import { Dialog } from "~/design";
import { COMMANDS } from "../commands";
import { keysOf } from "../CommandButton";

const GROUPS = ["edit", "tools", "arrange", "view", "file"] as const;

export function Shortcuts({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation("editor");
  return (
    <Dialog open={open} title={t("command.shortcuts")} onClose={onClose}>
      {/* What scrolls must be reached by the keys that scroll it. */}
      <div
        className="editor-shortcuts"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="group"
        aria-label={t("command.shortcuts")}
      >
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{t(`group.${group}`)}</h3>
            <dl>
              {COMMANDS.filter((command) => command.group === group && command.keys).map(
                (command) => (
                  <div key={command.id}>
                    <dt>{t(`command.${command.id}`)}</dt>
                    <dd>
                      <kbd>{keysOf(command.keys ?? "")}</kbd>
                    </dd>
                  </div>
                ),
              )}
            </dl>
          </section>
        ))}
        <p className="editor-text">{t("shortcuts.arrows")}</p>
      </div>
    </Dialog>
  );
}
