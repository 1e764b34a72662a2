import { compositeOver } from '#engine/image/composite.ts'
import type { Picture } from '#engine/image/picture.ts'
import { isLocation } from '#engine/scenes.ts'
import { drawBackdrop } from '#engine/tasks/headshot/index.ts'
import { readLocationSample } from '#tools/ui/location-sample.ts'
import { serveSamples } from '#tools/ui/serve-samples.ts'
import { backdropNames, sampleSize } from '../contract/definition.ts'

const { width, height } = sampleSize

serveSamples(backdropNames, (cutout: string | null) => {
  const head = cutout === null ? undefined : headOf(cutout)
  return async (name) => {
    const backdrop = isLocation(name) ? await readLocationSample(name, sampleSize) : drawBackdrop(name, width, height)
    return head ? compositeOver(head, backdrop) : backdrop
  }
})

function headOf(base64: string): Picture | undefined {
  const data = Uint8ClampedArray.from(atob(base64), (letter) => letter.charCodeAt(0))
  return data.length === 4 * width * height ? { width, height, data } : undefined
}
