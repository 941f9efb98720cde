// What is read from the pages of docs/reference.
import { expect, test } from "vitest";
import built from "virtual:reference";
import { readReference } from "./reference";

const PAGE = `# A page

### \`POST /v1/holds\`

Holds all the lines,
or none.

- Keys: \`sk_\`
- Answers: 201, a [hold](#hold)
- Other answers: 202, while
  it waits
- Errors: \`unit_taken\`, \`sold_out\`

\`\`\`json
# no heading
\`\`\`

| body field | is | meaning |
|---|---|---|
| \`lines\` (needed) | list | What to hold. |
| \`from\`, \`to\` | text | A \\| B. |

### Hold

| field | is | meaning |
|---|---|---|
| \`id\` | id | which |

## No

| code | status | SQLSTATE | retry | meaning | what to do |
|---|---|---|---|---|---|
| \`unit_taken\` | 409 | BS010 | yes | Taken. | Offer others. |
| 40001 | 500 | none | no | Not ours. | Repeat. |
`;

test("a call has its text, answers, errors and fields", () => {
  expect(readReference([PAGE]).calls).toEqual({
    "POST /v1/holds": {
      text: "Holds all the lines, or none.",
      answers: "a [hold](#hold)",
      also: "202, while it waits",
      errors: ["unit_taken", "sold_out"],
      fields: {
        body: { lines: "What to hold.", from: "A | B.", to: "A | B." },
        query: {},
        answer: {},
      },
    },
  });
});

test("an object has its fields, and a code what it means and what to do", () => {
  const { objects, errors } = readReference([PAGE]);
  expect(objects).toEqual({ Hold: { id: "which" } });
  expect(errors).toEqual({
    unit_taken: {
      group: "No",
      status: 409,
      sqlstate: "BS010",
      retryable: true,
      meaning: "Taken.",
      advice: "Offer others.",
    },
  });
});

test("the reference itself is read whole", () => {
  expect(built.errors["unit_taken"]?.sqlstate).toBe("BS010");
  expect(Object.keys(built.errors).length).toBeGreaterThan(100);
  for (const [code, { status, meaning, advice, group }] of Object.entries(built.errors)) {
    expect([code, status >= 400 && status < 600]).toEqual([code, true]);
    for (const text of [meaning, advice, group]) expect([code, text]).not.toEqual([code, ""]);
  }
  expect(built.calls["POST /v1/holds"]?.fields.body["lines"]).toContain("What to hold");
  expect(built.objects["Hold"]?.["expires_at"]).toBeTruthy();
  for (const { text, answers } of Object.values(built.calls)) {
    expect(text).not.toBe("");
    expect(answers).not.toBe("");
  }
});
