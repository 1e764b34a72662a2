import type { Picture, Plane } from '#engine/image/picture.ts'
import { openPersonModel, type PersonModel } from '#engine/models/network.ts'
import { readModel } from '#engine/models/registry.ts'
import { resizePicture } from './codecs.ts'
import { startHuman } from './human.ts'

const names = { general: 'selfie', landscape: 'selfie-landscape' } as const
type Shape = keyof typeof names

const opened: Partial<Record<Shape, Promise<PersonModel>>> = {}

/** On the TensorFlow.js that Human has started. */
async function open(shape: Shape): Promise<PersonModel> {
  await startHuman()
  const [file] = readModel(names[shape]) as [Uint8Array]
  return openPersonModel(file)
}

/**
 * MediaPipe selfie segmentation: person probability at the model's own size, stretched over the
 * whole picture.
 */
export async function personMask(picture: Picture, shape: Shape = 'general'): Promise<Plane> {
  opened[shape] ??= open(shape)
  const { width, height, mask } = await opened[shape]
  return mask(await resizePicture(picture, width, height))
}
