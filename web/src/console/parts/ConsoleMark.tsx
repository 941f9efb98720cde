// The logo of the console.
export function ConsoleMark() {
  return (
    <span className="console-mark">
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path
          d="M4 9a3 3 0 0 1 3-3h18a3 3 0 0 1 3 3v3.5a3.5 3.5 0 0 0 0 7V23a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3v-3.5a3.5 3.5 0 0 0 0-7z"
          fill="var(--accent)"
        />
        <path
          d="M20 8.5v2.5m0 4v2.5m0 4V24"
          stroke="var(--accent-ink)"
          strokeWidth="2"
          strokeLinecap="round"
        />
        <path
          d="M9.5 16.5l2.8 2.8 4.2-5.5"
          stroke="var(--accent-ink)"
          strokeWidth="2.2"
          strokeLinecap="round"
          strokeLinejoin="round"
          fill="none"
        />
      </svg>
      <span>Bespeak</span>
    </span>
  );
}
