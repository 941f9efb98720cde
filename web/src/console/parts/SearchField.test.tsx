// @vitest-environment happy-dom
// What is typed into a search is what stands there, whenever the address has it.
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test, vi } from "vitest";
import { SearchField } from "./SearchField";

const LONG_MS = 1000;

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

function Page({ onSearch }: { onSearch: (text: string) => void }) {
  const [value, setValue] = useState("");
  const search = (text: string) => {
    onSearch(text);
    setValue(text);
  };
  return (
    <>
      <SearchField label="Search" value={value} onChange={search} />
      <button onClick={() => setValue("")}>Clear</button>
    </>
  );
}

const field = () => screen.getByLabelText<HTMLInputElement>("Search");

function typeAndRest(text: string) {
  fireEvent.change(field(), { target: { value: text } });
  act(() => vi.advanceTimersByTime(LONG_MS));
}

test("a space stays while one thinks of the next word", () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  render(<Page onSearch={(text) => asked.push(text)} />);
  typeAndRest("the ");
  expect(field().value).toBe("the ");
  typeAndRest("the lantern");
  expect(asked).toEqual(["the", "the lantern"]);
});

test("what takes the search away empties the field", () => {
  vi.useFakeTimers();
  render(<Page onSearch={() => undefined} />);
  typeAndRest("lantern");
  fireEvent.click(screen.getByText("Clear"));
  expect(field().value).toBe("");
  typeAndRest("lantern");
  expect(field().value).toBe("lantern");
});

test("what is typed once the field is seen stays", async () => {
  const host = document.createElement("div");
  document.body.append(host);
  const seen = new Promise<void>((resolve) => {
    // As whoever looks: before React does what may come after the picture.
    new MutationObserver(() => {
      const input = host.querySelector("input");
      if (input === null) return;
      fireEvent.change(input, { target: { value: "early" } });
      resolve();
    }).observe(host, { childList: true, subtree: true });
  });
  const root = createRoot(host);
  root.render(<SearchField label="Search" value="" onChange={() => undefined} />);
  await seen;
  await new Promise((rested) => setTimeout(rested));
  expect(host.querySelector("input")?.value).toBe("early");
  root.unmount();
  host.remove();
});
