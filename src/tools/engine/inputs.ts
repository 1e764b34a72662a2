import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { isPicture, isPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { fitWithin, flatten } from '#engine/image/pixels.ts'
import type { TaskInput } from '#engine/task-types.ts'
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

/** Longer side in pixels of a classifier's input; no known one sees more. */
const classifierSide = 512

export function safetyTasks(pictures: readonly Picture[], host: EngineHost): Promise<TaskInput['safety'][]> {
  const works = pictures.map(async (given) => {
    const size = fitWithin(given, classifierSide)
    return { picture: await host.resize(flatten(given, 255, 255, 255), size.width, size.height) }
  })
  return Promise.all(works)
}
