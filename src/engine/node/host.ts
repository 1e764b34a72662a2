import type { EngineHost } from '../host.ts'
import { resizePicture } from './codecs.ts'

/** The engine's host in a Node thread. Every model is loaded when it is first asked for and then stays with the thread. */
export function createNodeHost(signal: AbortSignal, progress: EngineHost['progress']): EngineHost {
  return {
    signal,
    progress,
    resize: resizePicture,
    personMask: async (picture) => (await import('./selfie.ts')).personMask(picture),
    faces: async (picture) => (await import('./detectors.ts')).detectFaces(picture),
    things: async (picture) => (await import('./detectors.ts')).detectThings(picture),
  }
}
