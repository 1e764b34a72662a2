import { atom, useAtomValue } from 'jotai'
import { store } from '#client/session.ts'
import type { GenerationCreated } from '#features/generations/types.ts'
import type { UploadItem } from '#sw/queue/item.ts'

// What screens know of the uploads; uploads.ts, which comes when somebody has any, writes it.

/** The uploads on this device that the person of now may see, oldest first. */
export const uploadsAtom = atom<UploadItem[]>([])
/** How much of each has left the device, 0 to 1. */
export const progressAtom = atom<Record<string, number>>({})
/** The server's responses to those that arrived. */
export const sentAtom = atom<Record<string, GenerationCreated>>({})

export function useUploads(): UploadItem[] {
  return useAtomValue(uploadsAtom)
}

/**
 * One upload: as it waits, how much of it has left the device (0 to 1), and the server's response
 * once it arrived.
 */
export function useUpload(id: string | null): {
  upload: UploadItem | undefined
  progress: number
  generation: GenerationCreated | undefined
} {
  const uploads = useAtomValue(uploadsAtom)
  const shares = useAtomValue(progressAtom)
  const responses = useAtomValue(sentAtom)
  return {
    upload: id === null ? undefined : uploads.find((item) => item.id === id),
    progress: id === null ? 0 : (shares[id] ?? 0),
    generation: id === null ? undefined : responses[id],
  }
}

/**
 * Everything waiting on this device for the person of now; what the warning before signing out
 * counts.
 */
export function waitingUploads(): UploadItem[] {
  return store.get(uploadsAtom).filter((item) => item.state !== 'sent' && item.state !== 'refused')
}
