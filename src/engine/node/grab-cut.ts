import { createRequire } from 'node:module'
import type * as OpenCV from '@techstark/opencv-js'
import type { Picture, Plane } from '../picture.ts'

const require = createRequire(import.meta.url)
let library: Promise<{ cv: typeof OpenCV }> | undefined

/** The module is a thenable that never settles, so it must never be awaited itself: it travels inside an object. */
function load(): Promise<{ cv: typeof OpenCV }> {
  return new Promise((resolve) => {
    const cv = require('@techstark/opencv-js') as typeof OpenCV & { onRuntimeInitialized?: () => void }
    if (cv.Mat) resolve({ cv })
    else cv.onRuntimeInitialized = () => resolve({ cv })
  })
}

/** GrabCut (Rother, Kolmogorov and Blake 2004) by OpenCV; seeds as in {@link EngineHost.grabCut}. Keep pictures ≤ 256 px: time grows fast. */
export async function grabCut(picture: Picture, seeds: Uint8Array, iterations: number): Promise<Plane> {
  library ??= load()
  const { cv } = await library
  const { width, height } = picture
  const image = new cv.Mat(height, width, cv.CV_8UC3)
  const mask = new cv.Mat(height, width, cv.CV_8UC1)
  const backgroundModel = new cv.Mat()
  const foregroundModel = new cv.Mat()
  try {
    for (let i = 0, j = 0; i < picture.data.length; i += 4) {
      image.data[j++] = picture.data[i] as number
      image.data[j++] = picture.data[i + 1] as number
      image.data[j++] = picture.data[i + 2] as number
    }
    mask.data.set(seeds)
    const whole = new cv.Rect(0, 0, width, height)
    cv.grabCut(image, mask, whole, backgroundModel, foregroundModel, iterations, cv.GC_INIT_WITH_MASK)
    return { width, height, data: Float32Array.from(mask.data, (label) => label & 1) }
  } finally {
    for (const mat of [image, mask, backgroundModel, foregroundModel]) mat.delete()
  }
}
