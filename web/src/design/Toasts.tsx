// Short messages at the bottom of the page, announced by screen readers.
import {
  createContext,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";

const SHOWN_MS = 6000;
const Tell = createContext<(text: string) => void>(() => undefined);

export function Toasts({ children }: { children: ReactNode }) {
  const [notes, setNotes] = useState<readonly { id: number; text: string }[]>([]);
  const next = useRef(1);
  const tell = useCallback((text: string) => {
    const id = next.current++;
    setNotes((before) => [...before.slice(-2), { id, text }]);
    setTimeout(() => setNotes((before) => before.filter((note) => note.id !== id)), SHOWN_MS);
  }, []);
  const shown = useMemo(
    () =>
      notes.map((note) => (
        <div key={note.id} className="toast">
          {note.text}
        </div>
      )),
    [notes],
  );
  return (
    <Tell value={tell}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {shown}
      </div>
    </Tell>
  );
}

export function useToast(): (text: string) => void {
  return useContext(Tell);
}
