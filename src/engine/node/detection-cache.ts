import { createHash } from 'node:crypto'
import type { Picture } from '#engine/image/picture.ts'
import type { EngineHost } from '../host.ts'

/** Shared by the threads of a pool. Values are plain data. */
export interface DetectionCache {
  recall(key: string): Promise<unknown>
  remember(key: string, found: unknown): void
}

/** Entries; a mask of a person takes the most memory, 262 KB. */
const maxRemembered = 300

export function createDetectionCache(size = maxRemembered): DetectionCache {
  const found = new Map<string, unknown>()
  const remember = (key: string, value: unknown) => {
    found.delete(key)
    found.set(key, value)
    const [oldest] = found.keys()
    if (found.size > size && oldest !== undefined) found.delete(oldest)
  }
  return {
    async recall(key) {
      const value = found.get(key)
      if (value !== undefined) remember(key, value)
      return value
    },
    remember,
  }
}

export type Detectors = Pick<
  EngineHost,
  'personMask' | 'faces' | 'faceMesh' | 'describeFace' | 'hands' | 'objects' | 'salience'
>

/** Keyed by the picture's pixels: a photo check, a generation and a render detect only once. */
export function withDetectionCache(detectors: Detectors, cache: DetectionCache): Detectors {
  const once =
    <Found>(name: string, detect: (picture: Picture) => Promise<Found>) =>
    async (picture: Picture): Promise<Found> => {
      const key = `${name}:${picture.width}:${createHash('sha1').update(picture.data).digest('base64')}`
      const known = (await cache.recall(key)) as Found | undefined
      if (known !== undefined) return known
      const found = await detect(picture)
      cache.remember(key, found)
      return found
    }
  return {
    personMask: (picture, model = 'general') =>
      once(`personMask-${model}`, (seen) => detectors.personMask(seen, model))(picture),
    faces: once('faces', detectors.faces),
    faceMesh: once('faceMesh', detectors.faceMesh),
    describeFace: once('describeFace', detectors.describeFace),
    hands: once('hands', detectors.hands),
    objects: once('objects', detectors.objects),
    salience: once('salience', detectors.salience),
  }
}
