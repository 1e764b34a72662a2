import { composeSimilarities, type Similarity, similarityTo } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import type { Head } from '#engine/tasks/faces/index.ts'
import type { PortraitFacts } from './frame.ts'
import { moveCuts, portraitFacts, type Upright } from './portrait.ts'

/** Shows backgrounds before the start; the device has the photograph's pixels itself. */
export type PortraitSample = {
  placement: { scale: number; angle: number; x: number; y: number }
  width: number
  height: number
  /** A byte for each pixel, base64. */
  alpha: string
  portrait: PortraitFacts
}

const size = { width: 72, height: 88 }
/** Eyes, and pixels from them to the chin. */
const framing = { eyes: { x: 36, y: 35 }, eyesToChin: 16.4 }

export function sampleOf({ view }: Upright, matte: Plane, head: Head, cuts: readonly number[]): PortraitSample {
  const scale = framing.eyesToChin / head.eyesToChin
  const reduce: Similarity = similarityTo(head.centre, framing.eyes, 0, scale)
  const { data } = resamplePicture(greyOf(matte), reduce, size.width, size.height)
  const bytes = Uint8Array.from({ length: size.width * size.height }, (_, i) => {
    const alpha = (data[4 * i] as number) / 255
    return Math.round(255 * Math.min(1, Math.max(0, (alpha - 0.2) / 0.6)))
  })
  const small = { ...head, roll: 0, centre: framing.eyes, eyesToChin: framing.eyesToChin, height: head.height * scale }
  return {
    placement: composeSimilarities(view, reduce),
    ...size,
    alpha: btoa(String.fromCharCode(...bytes)),
    portrait: portraitFacts(size, small, moveCuts(cuts, reduce)),
  }
}

function greyOf({ width, height, data }: Plane): Picture {
  const grey = new Uint8ClampedArray(4 * data.length)
  for (let i = 0; i < data.length; i++)
    grey.fill(255 * (data[i] as number), 4 * i, 4 * i + 3).fill(255, 4 * i + 3, 4 * i + 4)
  return { width, height, data: grey }
}
