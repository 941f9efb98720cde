// The first steps of a merchant who has never seen the console.
import { useTranslation } from "react-i18next";
import { Note, Skeleton } from "~/design";
import { PageHead } from "../parts";
import { SamplePanel } from "./SamplePanel";
import { StepList } from "./StepList";
import { openSteps } from "./steps";
import { useSteps } from "./useSteps";
import "../programme/programme.css";

export default function StartPage() {
  const { t, ready } = useTranslation("programme");
  const steps = useSteps();
  if (!ready) return <Skeleton height="24rem" />;
  return (
    <>
      <PageHead title={t("start.title")} lead={t("start.lead")} />
      {steps === undefined ? (
        <Skeleton height="24rem" />
      ) : (
        <>
          {openSteps(steps).length === 0 && <Note tone="good">{t("start.finished")}</Note>}
          <StepList steps={steps} />
          <SamplePanel />
        </>
      )}
    </>
  );
}
