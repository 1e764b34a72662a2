import { EngineError } from '#engine/error.ts'
import { isPicture, isPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { flatten } from '#engine/image/pixels.ts'
import type { Generated } from './tool-engine.ts'

export function requireInput<Input>([first]: readonly Input[]): Input {
  if (!first) throw new EngineError('upload.missing')
  return first
}

/** For tasks that only providers can do; throws without any result. */
export function requireProviderResults<Result>(done: readonly (Result | undefined)[] | undefined): Result[] {
  const made = (done ?? []).filter((result) => result !== undefined)
  if (made.length === 0) throw new EngineError('tool.option_unavailable')
  return made
}

export const inputOnWhite = (pictures: readonly Picture[]): Picture => flatten(requireInput(pictures), 255, 255, 255)

type Layers = Pick<Generated, 'layers'> | undefined

/** Throws without the layer. */
export function pictureLayer(generated: Layers, name: string): Picture {
  const layer = generated?.layers[name]
  if (!layer || !isPicture(layer)) throw new EngineError('generation.not_renderable')
  return layer
}

/** Throws without the layer. */
export function planeLayer(generated: Layers, name: string): Plane {
  const layer = generated?.layers[name]
  if (!layer || !isPlane(layer)) throw new EngineError('generation.not_renderable')
  return layer
}
