import { createFrame, type Frame } from './frame.ts'

/**
 * Where the subject of a frame is, at a reduced size: 0 elsewhere to 255 certainly there. Width and
 * height are even.
 */
export interface Mask {
  width: number
  height: number
  data: Uint8Array
}

/** What is looked for in a video: people, or a thing. */
export type VideoSubject = 'person' | 'object'

/** Pixels of a mask. */
const area = 80_000
/** What a codec may change at the ends of the scale. */
const noise = 6

/** The size of the masks of frames of a size. */
export function maskSize(frame: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, Math.sqrt(area / (frame.width * frame.height)))
  const even = (value: number) => Math.max(2, 2 * Math.round((value * scale) / 2))
  return { width: even(frame.width), height: even(frame.height) }
}

/** A mask as a grey frame, to be kept in a video. */
export function maskToFrame({ width, height, data }: Mask): Frame {
  const frame = createFrame(width, height, 'bt601')
  frame.y.set(data)
  frame.u.fill(128)
  frame.v.fill(128)
  return frame
}

/** The mask that a frame was made from, after it was encoded and decoded. */
export function maskFromFrame({ width, height, y }: Frame): Mask {
  const data = new Uint8Array(y.length)
  for (let i = 0; i < y.length; i++) {
    const value = y[i] as number
    data[i] = value < noise ? 0 : value > 255 - noise ? 255 : value
  }
  return { width, height, data }
}
