/** Doubling delay with full jitter above half: `base · 2^(attempt-1)`, capped, times 0.5..1. `random` is 0..1. */
export function backoffMs(attempt: number, baseMs: number, capMs: number, random: number): number {
  const full = Math.min(capMs, baseMs * 2 ** Math.max(0, attempt - 1))
  return Math.round(full * (0.5 + random / 2))
}
