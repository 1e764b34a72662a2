/** 0 at `from` and before, 1 at `to` and beyond, whichever is larger; even in between. */
export function ramp(from: number, to: number, value: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)))
}

/** {@link ramp} with a soft start and end. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = ramp(from, to, value)
  return t * t * (3 - 2 * t)
}
