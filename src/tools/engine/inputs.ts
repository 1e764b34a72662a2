import { EngineError } from '#engine/error.ts'
import { isPicture, isPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { flatten } from '#engine/image/pixels.ts'
import type { Generated } from './tool-engine.ts'

/** The required input. */
export function requireInput<Input>([first]: readonly Input[]): Input {
  if (!first) throw new EngineError('upload.missing')
  return first
}

/** Results of tasks that only providers can do; throws without any. */
export function requireDone<Result>(done: readonly (Result | undefined)[] | undefined): Result[] {
  const made = (done ?? []).filter((result) => result !== undefined)
  if (made.length === 0) throw new EngineError('tool.option_unavailable')
  return made
}

/** The required picture, on white where it is transparent. */
export const inputOnWhite = (pictures: readonly Picture[]): Picture => flatten(requireInput(pictures), 255, 255, 255)

type Layers = Pick<Generated, 'layers'> | undefined

/** A picture that `generate` kept; throws without it. */
export function pictureLayer(generated: Layers, name: string): Picture {
  const layer = generated?.layers[name]
  if (!layer || !isPicture(layer)) throw new EngineError('generation.not_renderable')
  return layer
}

/** A plane that `generate` kept; throws without it. */
export function planeLayer(generated: Layers, name: string): Plane {
  const layer = generated?.layers[name]
  if (!layer || !isPlane(layer)) throw new EngineError('generation.not_renderable')
  return layer
}
