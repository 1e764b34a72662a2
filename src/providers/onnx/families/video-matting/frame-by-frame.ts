import type { Picture, Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { ramp } from '#engine/image/ramp.ts'
import type { TaskResult, TaskWork } from '#engine/task-work.ts'
import type { ModelFamily, OnnxSession } from '../../family.ts'

/** How much of the mean of a frame's neighbours counts where nothing moves. */
const smoothing = 0.6
/** Mean change of the levels around a pixel, up to which nothing moves and from which all does. */
const still = 4
const moving = 16
/** What counts as around a pixel. */
const reach = 3

/**
 * A family for pictures, for the frames of a video: where the picture does not change, alpha of a
 * frame is drawn towards the mean of the frames before and after, so that it does not flicker.
 */
export const frameByFrame = (id: string, family: ModelFamily<'subjectMatte'>): ModelFamily<'videoMatte'> => ({
  id,
  task: 'videoMatte',
  files: family.files,
  async perform({ frames }, sessions: Record<string, OnnxSession>, signal) {
    const found: Plane[] = []
    for (const picture of frames) {
      signal.throwIfAborted()
      found.push((await family.perform({ picture, subject: 'person' }, sessions, signal)).alpha)
    }
    return { alphas: steadied(frames, found) }
  },
})

function steadied(
  frames: TaskWork['videoMatte']['frames'],
  found: TaskResult['videoMatte']['alphas'],
): TaskResult['videoMatte']['alphas'] {
  const stillness = frames.slice(1).map((frame, i) => stillnessOf(frames[i] as Picture, frame))
  return found.map((alpha, i) => {
    const beside = [
      { alpha: found[i - 1], still: stillness[i - 1] },
      { alpha: found[i + 1], still: stillness[i] },
    ].filter((other) => other.alpha !== undefined) as { alpha: Plane; still: Plane }[]
    const out = createPlane(alpha.width, alpha.height)
    for (let k = 0; k < out.data.length; k++) {
      const own = alpha.data[k] as number
      let drawn = 0
      for (const other of beside) drawn += (other.still.data[k] as number) * ((other.alpha.data[k] as number) - own)
      out.data[k] = own + (smoothing * drawn) / 2
    }
    return out
  })
}

/** 1 where two frames agree, 0 where they differ much. */
function stillnessOf(one: Picture, other: Picture): Plane {
  const change = createPlane(one.width, one.height)
  for (let i = 0; i < change.data.length; i++) {
    for (let c = 4 * i; c < 4 * i + 3; c++) {
      change.data[i] = (change.data[i] as number) + Math.abs((one.data[c] as number) - (other.data[c] as number)) / 3
    }
  }
  const around = boxBlur(change, reach)
  for (let i = 0; i < around.data.length; i++) around.data[i] = 1 - ramp(still, moving, around.data[i] as number)
  return around
}
