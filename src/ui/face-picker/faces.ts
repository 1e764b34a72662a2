import type { Box } from '#shared/media.ts'
import type { Size } from '../geometry.ts'

/** Enlargement over the detected box, as a share of it, for hair and chin. */
const margin = 0.12

/** Percent of the picture, clipped to it, and numbered from left to right. */
export function facePositions(faces: readonly { box: Box }[], { width, height }: Size) {
  const span = (start: number, length: number, whole: number) => {
    const from = Math.max(0, start - length * margin)
    const to = Math.min(whole, start + length * (1 + margin))
    return { from: (100 * from) / whole, length: (100 * (to - from)) / whole }
  }
  return faces
    .map(({ box }, index) => {
      const [across, down] = [span(box.x, box.width, width), span(box.y, box.height, height)]
      return { index, left: across.from, top: down.from, width: across.length, height: down.length }
    })
    .sort((a, b) => a.left + a.width / 2 - (b.left + b.width / 2))
}

/** Adds the face, or removes it if it was picked; the first gives way beyond `max`. */
export function togglePicked(picked: readonly number[], index: number, max: number): number[] {
  if (picked.includes(index)) return picked.filter((other) => other !== index)
  return [...picked, index].slice(-Math.max(1, max))
}
