// One gate at work: the camera, the field for a hand scanner or for typing, and the verdict, which is
// shown large, said by screen readers, and heard and felt where the device can do that.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Problem } from "~/api/client";
import { Button, ErrorNote, Field, Icon, Note, useWakeLock } from "~/design";
import { resourceQuery } from "../resources";
import { Camera, type CameraFault } from "./camera";
import { signal } from "./signals";
import { KeptState } from "./KeptState";
import { useGate } from "./useGate";
import { VerdictCard, VerdictList } from "./VerdictCard";

const GATE_KEPT_AS = "bespeak.scanner.gate";
const GATE_LENGTH_MAX = 100;
const CODE_LENGTH_MAX = 2000;

export function GatePage({ id }: { id: string }) {
  const { t } = useTranslation("console");
  const { gate, state } = useGate(id);
  const [name, setName] = useState(() => localStorage.getItem(GATE_KEPT_AS) ?? "");
  const resource = useQuery({ ...resourceQuery(id), staleTime: Infinity });
  const { data: found } = resource;
  useEffect(() => {
    if (found !== undefined) gate.call(found.name);
  }, [gate, found]);
  const title = (found?.name ?? state.name) || t("scanner.title");
  useEffect(() => {
    document.title = `${title} · ${t("scanner.title")}`;
  }, [title, t]);
  const scan = async (code: string) => {
    const verdict = await gate.scan(code, name.trim());
    signal(verdict.outcome !== "refused");
  };
  const [latest] = state.verdicts;
  return (
    <main className="scanner">
      <header className="scanner-head">
        <Link href="/console/scanner" className="console-back">
          <Icon name="back" size={18} flip />
          {t("scanner.entrances")}
        </Link>
        <span className="tabular">
          {state.inside !== null && t("scanner.inside", { count: state.inside })}
        </span>
      </header>
      <h1>{title}</h1>
      {isRefusal(resource.error) && <ErrorNote error={resource.error} />}
      {!state.isOnline && <Note tone="warn">{t("scanner.offline")}</Note>}
      {state.waiting > 0 && (
        <Note tone="warn">{t("scanner.waiting", { count: state.waiting })}</Note>
      )}
      <div role="alert" className="scanner-latest">
        {latest === undefined ? (
          <p className="scanner-verdict" data-outcome="none">
            {t("scanner.ready")}
          </p>
        ) : (
          <VerdictCard key={latest.id} of={latest} />
        )}
      </div>
      <CameraView onCode={scan} />
      <CodeForm onCode={scan} />
      <Field
        label={t("scanner.gate")}
        hint={t("scanner.gate_hint")}
        value={name}
        maxLength={GATE_LENGTH_MAX}
        onChange={(event) => {
          setName(event.target.value);
          localStorage.setItem(GATE_KEPT_AS, event.target.value);
        }}
      />
      <VerdictList of={state.verdicts.slice(1)} />
      <KeptState asOf={state.asOf} />
    </main>
  );
}

/** Without an answer the gate goes on by itself, and says so. */
function isRefusal(error: unknown): boolean {
  return error instanceof Problem && error.status >= 400 && error.status < 500;
}

type CodeProps = { onCode: (code: string) => Promise<void> };

function CameraView({ onCode }: CodeProps) {
  const { t } = useTranslation("console");
  const video = useRef<HTMLVideoElement>(null);
  const [isOn, setOn] = useState(false);
  const [fault, setFault] = useState<CameraFault | null>(null);
  useWakeLock(isOn);
  const scan = useEffectEvent(onCode);
  useEffect(() => {
    if (!isOn || video.current === null) return;
    const camera = new Camera((code) => scan(code));
    const open = async (picture: HTMLVideoElement) => {
      const found = await camera.start(picture);
      setFault(found);
      if (found !== null) setOn(false);
    };
    void open(video.current);
    return () => camera.stop();
  }, [isOn]);
  return (
    <section className="scanner-camera" aria-label={t("scanner.camera")}>
      {isOn && <video ref={video} className="scanner-video" muted playsInline />}
      {fault !== null && <Note tone="bad">{t(`scanner.${fault}`)}</Note>}
      <Button kind={isOn ? "quiet" : "primary"} onClick={() => setOn(!isOn)}>
        {t(isOn ? "scanner.camera_off" : "scanner.camera_on")}
      </Button>
    </section>
  );
}

/** Hand scanners type the code and press Enter. */
function CodeForm({ onCode }: CodeProps) {
  const { t } = useTranslation("console");
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    // On a phone the focus would open its keyboard over half of the page.
    if (matchMedia("(pointer: fine)").matches) form.current?.querySelector("input")?.focus();
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code") ?? "").trim();
    form.current?.reset();
    if (code === "" || busy) return;
    setBusy(true);
    void onCode(code).finally(() => setBusy(false));
  };
  return (
    <form ref={form} onSubmit={submit} className="scanner-code">
      <Field
        label={t("scanner.code")}
        name="code"
        autoComplete="off"
        spellCheck={false}
        maxLength={CODE_LENGTH_MAX}
        dir="ltr"
      />
      <Button type="submit" kind="quiet" busy={busy}>
        {t("scanner.check")}
      </Button>
    </form>
  );
}
