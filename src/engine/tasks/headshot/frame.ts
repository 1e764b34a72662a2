import type { Box } from '#contract/media.ts'
import type { Plane } from '#engine/image/picture.ts'
import { type HeadView, missingStep } from './view.ts'

/**
 * Height of the head as a share of the picture's, and where the eyes are from its upper edge, as
 * portraits are composed.
 */
const wanted = { head: 0.5, most: 0.55, eyes: 1 / 3 }
/** How far a frame may go from that where the photograph ends too early. */
const search = { least: 0.45, largest: 1.1, step: 0.01, eyes: [1 / 3, 0.36, 0.39, 0.31, 0.42, 0.28, 0.45] }
/** Share of a frame that may show where the body was cut: less than anybody sees. */
const tolerated = 0.0004

/** A rectangle of the view in whole pixels; it may reach beyond it, where nothing is. */
export interface Frame extends Box {
  /** Height of the head as a share of the frame's. */
  head: number
  /**
   * Whether the head is as large as it should be; else the photograph shows too little around it.
   */
  tight: boolean
}

/**
 * The frame of a headshot: eyes on the upper third, the head half as high as the picture. Where
 * that would show the edge at which the photograph cuts shoulders or hair, the nearest frame is
 * taken that does not: closer, or a little higher or lower.
 */
export function frameHead(view: HeadView, ratio: number): Frame {
  const height = view.chin - view.crown
  let best: { frame: Frame; cost: number } | undefined
  for (const eyes of search.eyes) {
    for (let head = search.least; head <= search.largest; head += search.step) {
      const frame = frameOf(view, ratio, height / head, eyes)
      const beyond = head > wanted.most ? 4 * (head - wanted.most) : 0
      const cost = Math.abs(head - wanted.head) + beyond + 4 * Math.abs(eyes - wanted.eyes)
      if (best && cost >= best.cost) continue
      if (missingIn(view.missing, frame) > tolerated) continue
      best = { frame: { ...frame, head, tight: head > wanted.most + 0.005 }, cost }
    }
  }
  // Nothing fits: the closest frame at least shows no more than the face and what is around it.
  return best?.frame ?? { ...frameOf(view, ratio, height / search.largest, 0.45), head: search.largest, tight: true }
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

/** The share of a frame that shows what is missing. */
function missingIn({ width, height, data }: Plane, frame: Box): number {
  const block = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value / missingStep)))
  const [left, right] = [block(frame.x, width), block(frame.x + frame.width, width)]
  const [top, bottom] = [block(frame.y, height), block(frame.y + frame.height, height)]
  let sum = 0
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += data[y * width + x] as number
  return (sum * missingStep ** 2) / (frame.width * frame.height)
}
