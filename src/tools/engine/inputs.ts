import { EngineError } from '#engine/error.ts'
import { isPicture, isPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { flatten } from '#engine/image/pixels.ts'
import type { Generated } from './tool-engine.ts'

/** The input that a run cannot do without. */
export function requireInput<Input>([first]: readonly Input[]): Input {
  if (!first) throw new EngineError('upload.missing')
  return first
}

/** What only others can do, and somebody has done. */
export function requireDone<Result>(done: readonly (Result | undefined)[] | undefined): Result[] {
  const made = (done ?? []).filter((result) => result !== undefined)
  if (made.length === 0) throw new EngineError('tool.option_unavailable')
  return made
}

/** The picture that a run cannot do without, on white where it lets anything through. */
export const inputOnWhite = (pictures: readonly Picture[]): Picture => flatten(requireInput(pictures), 255, 255, 255)

type Layers = Pick<Generated, 'layers'> | undefined

/** A picture that `generate` kept, without which there is nothing to render. */
export function pictureLayer(generated: Layers, name: string): Picture {
  const layer = generated?.layers[name]
  if (!layer || !isPicture(layer)) throw new EngineError('generation.not_renderable')
  return layer
}

/** A plane that `generate` kept, without which there is nothing to render. */
export function planeLayer(generated: Layers, name: string): Plane {
  const layer = generated?.layers[name]
  if (!layer || !isPlane(layer)) throw new EngineError('generation.not_renderable')
  return layer
}
