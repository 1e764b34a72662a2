/** Where the arrow keys lead, right and down being positive. */
export const arrowSteps: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** A share of a picture's side that does not leave the picture. */
export const insidePicture = (share: number) => Math.min(1, Math.max(0, share))
