import type { Picture, Plane } from '#engine/image/picture.ts'
import { openNetwork } from './network.ts'
import { readTflite } from './tflite.ts'

/** A model of MediaPipe's selfie segmentation, ready to run. */
export interface PersonModel {
  /** The size of the pictures that it looks at, and of its masks. */
  width: number
  height: number
  /** The probability of a person, 0 to 1, at every pixel of a picture of that size. */
  mask(small: Picture): Promise<Plane>
}

/** Opens the model in `file` on the backend that TensorFlow.js has at this time. */
export function openPersonModel(file: Uint8Array): PersonModel {
  const graph = readTflite(file)
  const [, height = 0, width = 0] = graph.input.shape
  const { run } = openNetwork(graph)
  return {
    width,
    height,
    mask: async ({ data }) => {
      const colours = new Float32Array(width * height * 3)
      for (let i = 0, j = 0; i < data.length; i += 4) {
        colours[j++] = (data[i] as number) / 255
        colours[j++] = (data[i + 1] as number) / 255
        colours[j++] = (data[i + 2] as number) / 255
      }
      return { width, height, data: await run(colours) }
    },
  }
}
