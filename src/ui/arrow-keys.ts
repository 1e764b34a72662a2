/** Right and down are positive. */
export const arrowSteps: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export const clampShare = (share: number) => Math.min(1, Math.max(0, share))
