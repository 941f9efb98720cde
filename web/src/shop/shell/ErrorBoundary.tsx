// An error boundary: the frame stays, with a reload button.
import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, EmptyState } from "~/design";

export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const { t } = useTranslation("shop");
  return (
    <div className="shop-page" role="alert">
      <EmptyState
        title={t("broken.title")}
        actions={<Button onClick={() => globalThis.location.reload()}>{t("broken.reload")}</Button>}
      >
        <p>{t("broken.text")}</p>
      </EmptyState>
    </div>
  );
}
