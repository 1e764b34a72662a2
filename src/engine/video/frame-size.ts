/** Pixels of stored frames, before they are turned upright. */
export interface FrameSize {
  width: number
  height: number
}

/** A size at least as large as both. */
export function larger(a: FrameSize | undefined, b: FrameSize | undefined): FrameSize | undefined {
  if (!a || !b) return a ?? b
  return { width: Math.max(a.width, b.width), height: Math.max(a.height, b.height) }
}
