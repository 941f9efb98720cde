// @vitest-environment happy-dom
// Markdown: what is shown, and what stays text.
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Markdown } from "./Markdown";

function shown(text: string): string {
  return render(<Markdown text={text} />).container.innerHTML;
}

test("headings, paragraphs, lists, emphasis and links", () => {
  expect(shown("# Terms\n\nWe *sell* **tickets**.")).toBe(
    "<h2>Terms</h2><p>We <em>sell</em> <strong>tickets</strong>.</p>",
  );
  expect(shown("- one\n- two")).toBe("<ul><li>one</li><li>two</li></ul>");
  expect(shown("3. three\n4. four")).toBe('<ol start="3"><li>three</li><li>four</li></ol>');
  expect(shown("[us](https://a.example/x?y=1&z=2)")).toBe(
    '<p><a href="https://a.example/x?y=1&amp;z=2">us</a></p>',
  );
  expect(shown("> said")).toBe("<blockquote><p>said</p></blockquote>");
});

test("no level of headings is skipped, whichever the text begins with", () => {
  const levels = (text: string) => shown(text).match(/<h\d/g);
  expect(levels("## a\n## b\n#### c\n### d\n# e")).toEqual(["<h2", "<h3", "<h4", "<h4", "<h2"]);
  expect(levels("### a\n#### b")).toEqual(["<h2", "<h3"]);
  expect(levels("> # quoted")).toBeNull();
});

test("signs stay what they are", () => {
  expect(shown("Fish & chips < 5 € \\*")).toBe("<p>Fish &amp; chips &lt; 5 € *</p>");
});

test.each([
  "<script>alert(1)</script>",
  '<img src=x onerror="alert(1)">',
  "a <b onclick='x'>b</b>",
  "![pic](https://a.example/x.png)",
  "[x](javascript:alert(1))",
  "[x](JAVASCRIPT:alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x][y]\n\n[y]: javascript:alert(1)",
  "<javascript:alert(1)>",
  '[x](https://a.example "a\\" onclick=\\"alert(1)")',
])("%s makes no program and no picture", (text) => {
  const { container } = render(<Markdown text={text} />);
  const names = [...container.querySelectorAll("*")].map((one) => one.localName);
  expect(new Set(["p", "a", ...names])).toEqual(new Set(["p", "a"]));
  for (const link of container.querySelectorAll("a")) {
    expect(link.getAttributeNames()).toEqual(["href"]);
    expect(link.getAttribute("href")).toMatch(/^https:/);
  }
});
