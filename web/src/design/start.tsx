// Starts a page: theme, translations, query cache, and then React.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import i18next from "i18next";
import { startTransition, StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { Problem } from "~/api/client";
import { askInNewLanguage } from "~/api/language";
import { startI18n } from "~/i18n";
import { ChallengeNotice } from "./ChallengeNotice";
import { startTheme } from "./Choices";
import { startFaces } from "./faces";
import { Toasts } from "./Toasts";
import "./index.css";

const FRESH_MS = 5_000;
const RETRIES_MAX = 3;

export async function startPage(namespaces: readonly string[], page: ReactNode): Promise<void> {
  startTheme();
  await startI18n(namespaces);
  const root = document.querySelector("#root");
  if (root === null) throw new Error("the page has no root");
  const queries = new QueryClient({
    defaultOptions: {
      queries: { staleTime: FRESH_MS, retry: mayRetry, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
  i18next.on("languageChanged", () => void askInNewLanguage(queries));
  const whole = (
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Toasts>
          <ChallengeNotice />
          {page}
        </Toasts>
      </QueryClientProvider>
    </StrictMode>
  );
  // In pieces: a slow processor answers the visitor between them.
  startTransition(() => createRoot(root).render(whole));
  // Without them, the device's stay.
  startFaces().catch(() => undefined);
}

function mayRetry(count: number, error: Error): boolean {
  return error instanceof Problem && error.retryable && count < RETRIES_MAX;
}
