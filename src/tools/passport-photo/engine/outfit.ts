import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { similarityTo } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { blendPicture } from '#engine/image/pixels.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import type { TaskInput } from '#engine/task-types.ts'
import {
  describeFace,
  embeddingSimilarity,
  faceRegion,
  headFrame,
  samePersonThreshold,
} from '#engine/tasks/faces/index.ts'
import type { Outfit } from '../contract/definition.ts'
import { findPerson, type Upright } from './portrait.ts'

/** Prompts for providers; offices want shoulders seen from the front. */
const outfitPrompts: Readonly<Record<Exclude<Outfit, 'own'>, string>> = {
  shirt: 'a plain white long-sleeved collared shirt, buttoned up, without a tie',
  suit: 'a black formal suit jacket over a white collared shirt with a plain dark tie',
  hijab:
    'a plain black hijab that covers hair, ears and neck and leaves the whole face free, over a plain white blouse',
}

/** Largest change of a face's size, and of its tilt in radians. */
const maxChange = { stretch: 1.6, tilt: 0.35 } as const

/** A fixed seed: equal prompts dress the same person alike. */
export function outfitTask({ picture }: Upright, outfit: Exclude<Outfit, 'own'>): TaskInput['outfit'] {
  return { picture, prompt: outfitPrompts[outfit], seed: 1 }
}

/**
 * The face keeps its own pixels, since offices compare it with the person. Throws
 * `engine.little_alike` if the provider changed it.
 */
export async function applyOutfit(upright: Upright, made: Picture, host: EngineHost): Promise<Picture> {
  const { picture, points } = upright
  const { face } = await findPerson(made, host)
  if (!face) throw new EngineError('engine.little_alike')
  const [own, other] = [headFrame(points), headFrame(face.points)]
  const [scale, tilt] = [own.eyesToChin / other.eyesToChin, own.roll - other.roll]
  const expected = picture.width / made.width
  const isElsewhere =
    Math.abs(Math.log(scale / expected)) > Math.log(maxChange.stretch) || Math.abs(tilt) > maxChange.tilt
  const [before, after] = [await describeFace(picture, points, host), await describeFace(made, face.points, host)]
  if (isElsewhere || embeddingSimilarity(before.embedding, after.embedding) < samePersonThreshold)
    throw new EngineError('engine.little_alike')
  const place = similarityTo(other.centre, own.centre, tilt, scale)
  const dressed = resamplePicture(made, place, picture.width, picture.height)
  blendPicture(dressed, picture, faceRegion(dressed, [points], 1, own.eyesToChin / 12))
  return dressed
}
