import type { Surroundings } from '#engine/image/light-probe.ts'
import { writeRadiance } from '#engine/image/radiance.ts'
import { cameraOf, locationLight, neutralWishes, renderLocation } from '#engine/tasks/background/index.ts'
import type { AnyLocationId } from '../scenes.ts'
import { resizePicture } from './codecs.ts'
import { encodeOutput } from './encode-output.ts'
import type { TaskFile } from './task-files.ts'

/** Pixels of the sample in lists, and factor of the larger picture it is drawn from. */
const sample = { width: 270, height: 360, scale: 2 } as const
const keptQuality = 90

/**
 * Encodes what of a location's file is kept, so that no stored file is one that was sent, and a
 * sample of its first view.
 */
export async function encodeLocation(id: AnyLocationId, around: Surroundings): Promise<TaskFile[]> {
  return [await keptFile(around), await sampleOf(id, around)]
}

async function keptFile({ probe, photo }: Surroundings): Promise<TaskFile> {
  const { width, height } = photo ?? probe
  if (!photo) {
    const bytes = writeRadiance(probe)
    return { label: 'probe', contentType: 'image/vnd.radiance', extension: 'hdr', bytes, width, height }
  }
  const bytes = await encodeOutput(photo, { format: 'webp', quality: keptQuality })
  return { label: 'photo', contentType: 'image/webp', extension: 'webp', bytes, width, height }
}

async function sampleOf(id: AnyLocationId, around: Surroundings): Promise<TaskFile> {
  const { width, height, scale } = sample
  const large = { width: width * scale, height: height * scale }
  // The middle of the picture is free for a person in front of it.
  const camera = cameraOf(large, { eyes: 0.4, head: 0.42 })
  const { balance } = locationLight(around, id, 1)
  const view = renderLocation(around, { ...large, id, seed: 1, wishes: neutralWishes(), camera, balance })
  const bytes = await encodeOutput(await resizePicture(view, width, height), { format: 'webp', quality: 76 })
  return { label: 'sample', contentType: 'image/webp', extension: 'webp', bytes, width, height }
}
