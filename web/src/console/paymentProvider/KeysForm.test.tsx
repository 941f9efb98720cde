// @vitest-environment happy-dom
// That the account is taken away as it was seen, and what was typed of it with it.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { createInstance } from "i18next";
import { I18nextProvider } from "react-i18next";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KeysForm } from "./KeysForm";
import { keptKeys } from "./keptKeys";
import { ACCOUNT, NOBODY, SET } from "./testing/views";

const THEIRS = { ...SET, account: { ...ACCOUNT, version: 8, key_ends_with: "9yR3" } };
const words = createInstance();
const versions: (string | null)[] = [];

beforeEach(async () => {
  sessionStorage.clear();
  versions.length = 0;
  await words.init({ lng: "cimode", resources: {} });
  vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
    const { method, url } = new Request(...request);
    const { pathname, searchParams } = new URL(url);
    if (pathname !== "/v1/payment-provider") return Response.json({});
    if (method === "GET") return Response.json(THEIRS);
    const version = searchParams.get("version");
    versions.push(version);
    if (version === "8") return Response.json(NOBODY);
    const refused = { code: "version_mismatch", version: 8 };
    return Response.json(refused, { status: 409 });
  });
});
afterEach(() => vi.unstubAllGlobals());

test("an account that somebody else has set is told of before it is taken away", async () => {
  render(
    <I18nextProvider i18n={words}>
      <QueryClientProvider client={new QueryClient()}>
        <KeysForm view={SET} by="opr_1" />
      </QueryClientProvider>
    </I18nextProvider>,
  );
  const typed = { target: { value: "pk_test_1" } };
  fireEvent.change(screen.getByLabelText(/^publishable_key/), typed);
  const kept = () => keptKeys({ view: SET, by: "opr_1" })?.draft.publishable_key;
  expect(kept()).toBe("pk_test_1");
  fireEvent.click(screen.getByRole("button", { name: "remove" }));
  const dialog = within(await screen.findByRole("dialog"));
  const remove = dialog.getByRole("button", { name: "remove" });
  fireEvent.click(remove);
  expect((await dialog.findByRole("alert")).textContent).toContain("changed_meanwhile.text_to_go");
  expect(kept()).toBe("pk_test_1");
  fireEvent.click(remove);
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(versions).toEqual(["7", "8"]);
  expect(kept()).toBeUndefined();
});
