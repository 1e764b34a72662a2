import type { Plane } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'
import { type HeadView, missingBlockSize } from './view.ts'

/** Shares of the picture's height: the head, its maximum, and the eyes from the upper edge. */
const composition = { head: 0.5, most: 0.55, eyes: 1 / 3 }
/** Candidates for frames where the photograph ends too early. */
const candidates = { least: 0.45, largest: 1.1, step: 0.01, eyes: [1 / 3, 0.36, 0.39, 0.31, 0.42, 0.28, 0.45] }
/** Largest share of a frame with cut-off parts of the body; less is not visible. */
const maxMissing = 0.0004

/** A rectangle of the view in whole pixels; it may extend beyond the view, where it is empty. */
export interface PortraitFrame extends Box {
  /** Height of the head as a share of the frame's. */
  head: number
  /** True if the photograph shows too little around the head. */
  tight: boolean
}

/**
 * Frame with the eyes on the upper third and the head half as high, or the nearest (closer, higher
 * or lower) that does not show where the photograph cuts off shoulders or hair.
 */
export function frameHead(view: HeadView, ratio: number): PortraitFrame {
  const height = view.chin - view.crown
  let best: { frame: PortraitFrame; cost: number } | undefined
  for (const eyes of candidates.eyes) {
    for (let head = candidates.least; head <= candidates.largest; head += candidates.step) {
      const frame = frameOf(view, ratio, height / head, eyes)
      const beyond = head > composition.most ? 4 * (head - composition.most) : 0
      const cost = Math.abs(head - composition.head) + beyond + 4 * Math.abs(eyes - composition.eyes)
      if (best && cost >= best.cost) continue
      if (missingShare(view.missing, frame) > maxMissing) continue
      best = { frame: { ...frame, head, tight: head > composition.most + 0.005 }, cost }
    }
  }
  // If nothing fits, use the closest frame.
  return (
    best?.frame ?? { ...frameOf(view, ratio, height / candidates.largest, 0.45), head: candidates.largest, tight: true }
  )
}

function frameOf(view: HeadView, ratio: number, height: number, eyes: number): Box {
  const width = height * ratio
  return {
    x: Math.round(view.centre - width / 2),
    y: Math.round(view.eyes - eyes * height),
    width: Math.round(width),
    height: Math.round(height),
  }
}

function missingShare({ width, height, data }: Plane, frame: Box): number {
  const block = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value / missingBlockSize)))
  const [left, right] = [block(frame.x, width), block(frame.x + frame.width, width)]
  const [top, bottom] = [block(frame.y, height), block(frame.y + frame.height, height)]
  let sum = 0
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += data[y * width + x] as number
  return (sum * missingBlockSize ** 2) / (frame.width * frame.height)
}
