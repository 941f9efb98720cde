// The side of the editor: the inspector, the outline, the categories, the translations and the
// problems, as tabs.
import { useMemo, useState } from "react";
import { Badge, Tabs } from "~/design";
import { useEditor } from "../context";
import { problemsOf } from "../document/problems";
import { Categories } from "./Categories";
import { Inspector } from "./Inspector";
import { Outline } from "./Outline";
import { Problems } from "./Problems";
import { Translations } from "./Translations";

const PANELS = ["outline", "categories", "translations", "problems"] as const;

export function Side() {
  const { t, plan } = useEditor();
  const [panel, setPanel] = useState<string>("outline");
  const problems = useMemo(() => problemsOf(plan), [plan]);
  // An empty room is not wrong, it is empty.
  const isCounted = problems.some((problem) => problem.code !== "no_units");
  const errors = problems.filter((problem) => problem.isError).length;
  return (
    <>
      <Inspector />
      <div className="editor-panels">
        <Tabs
          label={t("panels")}
          chosen={panel}
          onChoose={setPanel}
          items={PANELS.map((key) => ({
            key,
            label:
              key === "problems" && isCounted ? (
                <>
                  {t(`panel.${key}`)}{" "}
                  <Badge tone={errors > 0 ? "bad" : "warn"}>{problems.length}</Badge>
                </>
              ) : (
                t(`panel.${key}`)
              ),
          }))}
        />
        <div className="editor-panel" role="tabpanel" aria-label={t(`panel.${panel}`)}>
          {panel === "outline" && <Outline />}
          {panel === "categories" && <Categories />}
          {panel === "translations" && <Translations />}
          {panel === "problems" && <Problems problems={problems} />}
        </div>
      </div>
    </>
  );
}
