import { atom, useAtomValue } from 'jotai'
import { store } from '#client/session.ts'
import type { UploadItem } from '../queue/item.ts'

// What screens know of the uploads; queue.ts, which comes when somebody has any, writes it.

/** The uploads on this device that the person of now may see, oldest first. */
export const uploadsAtom = atom<UploadItem[]>([])
/** How much of each has left the device, 0 to 1. */
export const progressAtom = atom<Record<string, number>>({})
/** Ids of what was made of those that arrived. */
export const resultsAtom = atom<Record<string, string>>({})

export function useUploads(): UploadItem[] {
  return useAtomValue(uploadsAtom)
}

/**
 * Follows a job from its files to what the server made of it: the upload while it is in the queue,
 * how much of it has left the device (0 to 1), and the id of the result once it arrived.
 */
export function useJob(id: string | null): {
  upload: UploadItem | undefined
  progress: number
  resultId: string | null
} {
  const uploads = useAtomValue(uploadsAtom)
  const shares = useAtomValue(progressAtom)
  const results = useAtomValue(resultsAtom)
  if (id === null) return { upload: undefined, progress: 0, resultId: null }
  const upload = uploads.find((item) => item.id === id)
  return { upload, progress: shares[id] ?? 0, resultId: results[id] ?? upload?.generationId ?? null }
}

/**
 * Everything waiting on this device for the person of now; what the warning before signing out
 * counts.
 */
export function waitingUploads(): UploadItem[] {
  return store.get(uploadsAtom).filter((item) => item.state !== 'sent' && item.state !== 'refused')
}
