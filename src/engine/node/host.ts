import type { EngineHost } from '../host.ts'
import { ownProvider, type Provider } from '../provider.ts'
import { cachePicture, resizePicture } from './codecs.ts'
import { createDetectionMemory, type DetectionMemory, remembering } from './detection-memory.ts'

/** Whom a run may turn to, and what is known of the jobs that it started elsewhere before. */
export interface RemoteWork {
  provider: Provider | undefined
  remoteJobs: Readonly<Record<string, string>>
  keepRemoteJob(key: string, id: string): Promise<void>
  memory: DetectionMemory
}

/** Who did the work of a run, and who was to do it and could not. */
export interface UsedProvider {
  provider: string
  fallbackFrom?: string
}

const localOnly = (): RemoteWork => {
  return { provider: undefined, remoteJobs: {}, keepRemoteJob: async () => {}, memory: createDetectionMemory() }
}

/**
 * The engine's host in a Node thread. Every model is loaded when it is first asked for and then
 * stays with the thread.
 */
export function createNodeHost(
  signal: AbortSignal,
  progress: EngineHost['progress'],
  { provider, remoteJobs, keepRemoteJob, memory }: RemoteWork = localOnly(),
): EngineHost & { used: UsedProvider } {
  const used: UsedProvider = { provider: 'local' }
  let calls = 0
  return {
    signal,
    progress,
    used,
    resize: resizePicture,
    cacheForResizing: cachePicture,
    personMask: async (picture, model) => (await import('./selfie.ts')).personMask(picture, model),
    ...remembering(
      {
        faces: async (picture) => (await import('./detectors.ts')).detectFaces(picture),
        faceMesh: async (square) => (await import('./detectors.ts')).fitFaceMesh(square),
        describeFace: async (square) => (await import('./detectors.ts')).describeFaceSquare(square),
        hands: async (picture) => (await import('./detectors.ts')).detectHands(picture),
        objects: async (picture) => (await import('./detectors.ts')).detectObjects(picture),
      },
      memory,
    ),
    convertVideo: async (video, conversion) =>
      (await import('./video/convert-video.ts')).convertVideo(video, conversion, signal),
    videoFrames: async (video, places, maxSide) =>
      (await import('./video/read-frames.ts')).videoFrames(video, places, maxSide, signal),
    async provided(capability, work, local) {
      const perform = provider?.work[capability]
      if (used.provider === 'local') used.provider = ownProvider([capability])
      if (!provider || !perform) return local()
      // The same work has the same number in every attempt.
      const key = `${capability}:${calls++}`
      try {
        const job = { known: remoteJobs[key], keep: (id: string) => keepRemoteJob(key, id) }
        const picture = await perform(work, job, signal)
        used.provider = provider.name
        return picture
      } catch {
        signal.throwIfAborted()
        used.fallbackFrom = provider.name
        return local()
      }
    },
  }
}
