// The cairn: three stones.
export function Mark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden>
      <ellipse cx="12" cy="19" rx="9" ry="3.7" fill="var(--ink-2)" />
      <ellipse cx="12.7" cy="12.6" rx="6.4" ry="3" fill="var(--stone)" />
      <ellipse cx="11.5" cy="7.1" rx="4.1" ry="2.3" fill="var(--agent-stone)" />
    </svg>
  );
}
