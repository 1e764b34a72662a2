import { randomBytes } from 'node:crypto'
import type { EngineHost } from '../host.ts'
import { cachePicture, resizePicture } from './codecs.ts'
import { type DetectionCache, type Detectors, withDetectionCache } from './detection-cache.ts'
import type { LocationFile } from './location-file.ts'
import { findSalience } from './networks/salience.ts'

export interface NodeHostOptions {
  /** Without a cache every call detects anew, as suits the frames of a video. */
  cache?: DetectionCache
  /** A process of its own by default; a pool's threads share one. */
  salience?: EngineHost['salience']
  watermarkKey?: Uint8Array
  /** Of the added locations that a task may show. */
  locationFiles?: readonly LocationFile[]
}

/** Models are loaded on first use and stay with the thread. */
export function createNodeHost(
  signal: AbortSignal,
  progress: EngineHost['progress'],
  { cache, salience = findSalience, watermarkKey = randomBytes(32), locationFiles = [] }: NodeHostOptions = {},
): EngineHost {
  const models = () => import('./detectors.ts')
  const detectors: Detectors = {
    personMask: async (picture, model) => (await models()).personMask(picture, model),
    faces: async (picture) => (await models()).detectFaces(picture),
    faceMesh: async (square) => (await models()).fitFaceMesh(square),
    describeFace: async (square) => (await models()).describeFaceSquare(square),
    hands: async (picture) => (await models()).detectHands(picture),
    objects: async (picture) => (await models()).detectObjects(picture),
    salience,
  }
  return {
    signal,
    progress,
    resize: resizePicture,
    cacheForResizing: cachePicture,
    ...(cache ? withDetectionCache(detectors, cache) : detectors),
    surroundings: async (id) => (await import('./location-file.ts')).readSurroundings(id, locationFiles),
    convertVideo: async (video, conversion) =>
      (await import('./video/convert-video.ts')).convertVideo(video, conversion, { signal, watermarkKey }),
    videoFrames: async (video, places, maxSide) =>
      (await import('./video/read-frames.ts')).videoFrames(video, places, maxSide, signal),
  }
}
