// What is wrong with the room, each with a step to where it is.
import { useTranslation } from "react-i18next";
import { useEditor } from "../context";
import { boxOfItem, isEmpty } from "../document/bounds";
import type { Problem } from "../document/problems";
import { sceneOf } from "../document/scene";
import { ToolIcon } from "../Icon";
import { nameOf } from "../names";

export function Problems({ problems }: { problems: readonly Problem[] }) {
  const { t } = useTranslation("editor");
  const editor = useEditor();
  const { plan, select, view } = editor;
  if (problems.length === 0) {
    return (
      <p className="editor-fine">
        <ToolIcon name="check" size={20} />
        {t("problem.none")}
      </p>
    );
  }
  const go = (problem: Problem) => {
    if (problem.key === null) return;
    select([problem.key]);
    const box = boxOfItem(sceneOf(plan), problem.key);
    if (!isEmpty(box)) view.current?.show(box);
    editor.focusInspector();
  };
  return (
    <ul role="list" className="editor-problems">
      {problems.map((problem, at) => (
        <li key={at}>
          <button
            type="button"
            className="editor-problem"
            data-error={problem.isError || undefined}
            disabled={problem.key === null}
            onClick={() => go(problem)}
          >
            <ToolIcon name="warning" size={18} />
            <span>
              <strong>
                {problem.isError ? t("problem.error") : t("problem.warning")}
                {problem.key !== null && `: ${nameOf(plan, problem.key, editor.told)}`}
              </strong>
              <span>{t(`problem.${problem.code}`, problem.values)}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
