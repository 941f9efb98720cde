// Until when a pass lasts, on every page on the way to what it buys.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Countdown } from "~/design";
import { dropPass, type KeptPass } from "../passes";
import "./passBar.css";

export default function PassBar({ pass }: { pass: KeptPass }) {
  const { t } = useTranslation("shop_waiting");
  return (
    <aside className="pass-bar" aria-label={t("bar.label")}>
      <p>
        <Link href={`/waiting/${encodeURIComponent(pass.roomId)}`}>
          <bdi>{pass.name}</bdi>
        </Link>{" "}
        {t("bar.until")}{" "}
        <Countdown endsAt={pass.endsAt} behindMs={0} onEnd={() => dropPass(pass.roomId)} />
        {pass.unitsMax !== null && <> · {t("bar.units_max", { count: pass.unitsMax })}</>}
      </p>
    </aside>
  );
}
