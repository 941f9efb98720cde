// Brings Stripe's form, with what it needs, where it is shown.
import {
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type ComponentType,
  type Ref,
} from "react";
import type { HoldView } from "~/api/schema";
import { brought } from "../shell/reload";
import type { CardHandle, PayWith } from "./cardHandle";
import { CardLoading, isFocusFree, showUnready, type Wanted } from "./CardLoading";
import { CardMissing } from "./CardMissing";

type FormProps = { publishableKey: string; hold: HoldView; wanted: Wanted; ref: Ref<CardHandle> };
type PartProps = { payWith: PayWith; hold: HoldView; ref: Ref<CardHandle> };

export function StripePart({ payWith, hold, ref }: PartProps) {
  const [tries, setTries] = useState(0);
  const wanted = useRef(false);
  const whole = useRef<HTMLDivElement>(null);
  const form = useRef<CardHandle>(null);
  useImperativeHandle(ref, () => ({
    makeToken: async (to) => {
      if (form.current !== null) return form.current.makeToken(to);
      showUnready(whole.current, wanted);
      return null;
    },
  }));
  return (
    <div ref={whole}>
      <Brought
        key={tries}
        {...{ payWith, hold, wanted }}
        ref={form}
        onRetry={() => setTries((times) => times + 1)}
      />
    </div>
  );
}

type BroughtProps = PartProps & { wanted: Wanted; onRetry: () => void };

function Brought({ payWith, hold, wanted, onRetry, ref }: BroughtProps) {
  const [Form, setForm] = useState<ComponentType<FormProps> | null>(null);
  const [isMissing, setMissing] = useState(false);
  const missing = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isLeft = false;
    brought(import("./stripe/StripeCard")).then(
      (found) => !isLeft && setForm(() => found.default),
      () => !isLeft && setMissing(true),
    );
    return () => {
      isLeft = true;
    };
  }, []);
  useEffect(() => {
    if (isMissing && wanted.current && isFocusFree()) showUnready(missing.current, wanted);
  }, [isMissing, wanted]);
  if (isMissing) {
    return (
      <div ref={missing}>
        <CardMissing onRetry={onRetry} />
      </div>
    );
  }
  if (Form === null) return <CardLoading wanted={wanted} />;
  return (
    <Form publishableKey={payWith.publishable_key ?? ""} hold={hold} wanted={wanted} ref={ref} />
  );
}
