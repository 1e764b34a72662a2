import { compositeOver } from '#engine/image/composite.ts'
import type { Picture } from '#engine/image/picture.ts'
import { isAddedLocation, isLocation } from '#engine/scenes.ts'
import { drawBackdrop } from '#engine/tasks/headshot/index.ts'
import type { OfferedLocation } from '#tools/contract/schemas.ts'
import { locationSample, readLocationSample } from '#tools/ui/location-sample.ts'
import { serveSamples } from '#tools/ui/serve-samples.ts'
import { backdropNames, type HeadshotBackdrop, sampleSize } from '../contract/definition.ts'

const { width, height } = sampleSize

const pictures = new Map<HeadshotBackdrop, string>()

async function names(): Promise<readonly HeadshotBackdrop[]> {
  const answer = await fetch('/api/locations').catch(() => undefined)
  const { items } = answer?.ok ? ((await answer.json()) as { items: OfferedLocation[] }) : { items: [] }
  for (const { id, picture } of items) pictures.set(id, picture)
  return [...backdropNames, ...pictures.keys()]
}

serveSamples<HeadshotBackdrop, string | null>(names, (cutout) => {
  const head = cutout === null ? undefined : headOf(cutout)
  return async (name) => {
    const backdrop = isLocation(name)
      ? await readLocationSample(isAddedLocation(name) ? (pictures.get(name) ?? '') : locationSample(name), sampleSize)
      : drawBackdrop(name, width, height)
    return head ? compositeOver(head, backdrop) : backdrop
  }
})

function headOf(base64: string): Picture | undefined {
  const data = Uint8ClampedArray.from(atob(base64), (letter) => letter.charCodeAt(0))
  return data.length === 4 * width * height ? { width, height, data } : undefined
}
