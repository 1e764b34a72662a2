import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { boxOverlap } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { boxBlur, resizeSmooth, share, shrink } from '#engine/image/plane.ts'
import { findObject, findObjects, mainObjects } from '#engine/tasks/subject-matte/find-object.ts'
import { segment, segmentDefaults } from '#engine/tasks/subject-matte/segment.ts'
import { type Frame, framePart, wholeOf } from '#engine/video/frame.ts'

/** Longer side of the picture in which a thing is looked for. */
const searchSide = 512
/**
 * A thing whose box fills this share of the frame, and of whose box so little is found, is too
 * close.
 */
const filling = { box: 0.8, covered: 0.4 }
/**
 * How far a border may move between two frames beyond the motion that was found, in pixels of half
 * a mask.
 */
const band = 2
const following = { ...segmentDefaults, belief: 1, limit: 4, sure: 0.97 }

/**
 * Where the most salient thing of a frame is, 0 to 1 at a mask's size; `nothing` when nothing
 * stands out, `too_close` when a thing fills the frame and cannot be told from what is behind it.
 */
export async function findTrackedObject(
  frame: Frame,
  { width, height }: { width: number; height: number },
  host: EngineHost,
): Promise<Plane | 'nothing' | 'too_close'> {
  const size = fitWithin(frame, searchSide)
  const picture = framePart(frame, wholeOf(frame), size.width, size.height)
  const objects = await findObjects(picture, host)
  const [main] = mainObjects(objects, picture)
  try {
    const { mask } = await findObject(picture, undefined, async () => objects, host)
    const seen = main ? boxOverlap(main.box, wholeOf(picture)) : 0
    if (seen > filling.box && share(mask, 0.5) < filling.covered * seen) return 'too_close'
    return mask.width > width ? shrink(mask, width, height) : resizeSmooth(mask, width, height)
  } catch (error) {
    if (error instanceof EngineError && error.code === 'engine.no_subject') return 'nothing'
    throw error
  }
}

/**
 * A thing in the next frame (reduced, any three channels), from where the motion has carried it:
 * its border is cut anew along colours and edges.
 */
export function followThing(small: Picture, carried: Plane): Plane {
  const { width, height } = carried
  const [columns, rows] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const belief = boxBlur(boxBlur(shrink(carried, columns, rows), band), band)
  const cut = segment(halved(small, columns, rows), belief, following)
  return resizeSmooth(boxBlur(cut, 1), width, height)
}

function halved({ width, height, data }: Picture, columns: number, rows: number): Picture {
  const out = new Uint8ClampedArray(4 * columns * rows)
  for (let y = 0, i = 0; y < rows; y++) {
    const [upper, lower] = [2 * y * width, Math.min(height - 1, 2 * y + 1) * width]
    for (let x = 0; x < columns; x++, i += 4) {
      const [left, right] = [2 * x, Math.min(width - 1, 2 * x + 1)]
      for (let c = 0; c < 4; c++) {
        const above = (data[4 * (upper + left) + c] as number) + (data[4 * (upper + right) + c] as number)
        out[i + c] = (above + (data[4 * (lower + left) + c] as number) + (data[4 * (lower + right) + c] as number)) / 4
      }
    }
  }
  return { width: columns, height: rows, data: out }
}
