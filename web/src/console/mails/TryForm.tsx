// The form of a mail that tries something: the address where it goes to, and its button.
import { type ReactNode, useState } from "react";
import { Button, ErrorNote, Field } from "~/design";

type Props = {
  /** What the address is called, and the button. */
  label: string;
  action: string;
  /** Sends it. What it throws is shown. */
  send: (email: string) => Promise<void>;
  /** What came of it. */
  children?: ReactNode;
};

export function TryForm({ label, action, send, children }: Props) {
  const [email, setEmail] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const tryIt = async () => {
    setBusy(true);
    setError(null);
    try {
      await send(email);
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="mails-try"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void tryIt();
      }}
    >
      <Field
        label={label}
        type="email"
        dir="ltr"
        required
        maxLength={254}
        autoComplete="email"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Button type="submit" kind="quiet" busy={busy}>
        {action}
      </Button>
      {children}
      {error !== null && <ErrorNote error={error} />}
    </form>
  );
}
