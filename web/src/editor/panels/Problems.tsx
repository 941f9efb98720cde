// What is wrong with the room, each with a step to where it is.
import { useEditor } from "../context";
import type { Key } from "../document/items";
import type { Problem } from "../document/problems";
import { ToolIcon } from "../Icon";
import { nameOf } from "../names";

export function Problems({ problems }: { problems: readonly Problem[] }) {
  const { t, plan, show, focusInspector } = useEditor();
  const go = (key: Key | null) => {
    if (key === null) return;
    show(key);
    focusInspector();
  };
  if (problems.length === 0) {
    return (
      <p className="editor-fine">
        <ToolIcon name="check" size={20} />
        {t("problem.none")}
      </p>
    );
  }
  return (
    <ul role="list" className="editor-problems">
      {problems.map(({ key, code, values, isError }, at) => (
        <li key={at}>
          <button
            type="button"
            className="editor-problem"
            data-error={isError || undefined}
            disabled={key === null}
            onClick={() => go(key)}
          >
            <ToolIcon name="warning" size={18} />
            <span>
              <strong>
                {t(isError ? "problem.error" : "problem.warning")}
                {key !== null && `: ${nameOf(plan, key, t)}`}
              </strong>
              <span>{t(`problem.${code}`, values)}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
