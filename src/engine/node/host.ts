import { randomBytes } from 'node:crypto'
import type { EngineHost } from '../host.ts'
import { cachePicture, resizePicture } from './codecs.ts'
import { createDetectionCache, type DetectionCache, withDetectionCache } from './detection-cache.ts'
import type { LocationFile } from './location-file.ts'
import { findSalience } from './networks/salience.ts'

/**
 * Models are loaded on first use and stay with the thread; a process of its own, shared by a pool,
 * finds salience. `locationFiles` are those of the added locations that a task may show.
 */
export function createNodeHost(
  signal: AbortSignal,
  progress: EngineHost['progress'],
  memory: DetectionCache = createDetectionCache(),
  salience: EngineHost['salience'] = findSalience,
  watermarkKey: Uint8Array = randomBytes(32),
  locationFiles: readonly LocationFile[] = [],
): EngineHost {
  const models = () => import('./detectors.ts')
  return {
    signal,
    progress,
    resize: resizePicture,
    cacheForResizing: cachePicture,
    personMask: async (picture, model) => (await models()).personMask(picture, model),
    ...withDetectionCache(
      {
        faces: async (picture) => (await models()).detectFaces(picture),
        faceMesh: async (square) => (await models()).fitFaceMesh(square),
        describeFace: async (square) => (await models()).describeFaceSquare(square),
        hands: async (picture) => (await models()).detectHands(picture),
        objects: async (picture) => (await models()).detectObjects(picture),
        salience,
      },
      memory,
    ),
    surroundings: async (id) => (await import('./location-file.ts')).readSurroundings(id, locationFiles),
    convertVideo: async (video, conversion) =>
      (await import('./video/convert-video.ts')).convertVideo(video, conversion, { signal, watermarkKey }),
    videoFrames: async (video, places, maxSide) =>
      (await import('./video/read-frames.ts')).videoFrames(video, places, maxSide, signal),
  }
}
