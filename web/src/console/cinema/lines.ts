// Fields with a word in each line.

/** Each of them once. */
export const lines = (text: string): string[] => [
  ...new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];

export const areFit = (words: readonly string[], most: number, length: number) =>
  words.length <= most && words.every((word) => word.length <= length);
