import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
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

/** Whether nothing goes on until the person says so. */
export const asksPerson = ({ state }: UploadItem): boolean =>
  state === 'sign_in' || state === 'credits' || state === 'confirm' || state === 'refused'

export function useUploads(): UploadItem[] {
  return useAtomValue(uploadsAtom)
}

/** A job from its files to what the server made of it. */
export interface Job {
  /** While it is in the queue. */
  upload: UploadItem | undefined
  /** How much of it has left the device, 0 to 1. */
  progress: number
  /** What was made of it, once it arrived. */
  resultId: string | null
}

/** Follows jobs; each is there whatever has become of it. */
export function useJobs(ids: readonly string[]): Job[] {
  const uploads = useAtomValue(uploadsAtom)
  const shares = useAtomValue(progressAtom)
  const results = useAtomValue(resultsAtom)
  return ids.map((id) => ({
    upload: uploads.find((item) => item.id === id),
    progress: shares[id] ?? 0,
    resultId: results[id] ?? null,
  }))
}

const noJob: Job = { upload: undefined, progress: 0, resultId: null }

export const useJob = (id: string | null): Job => useJobs(id === null ? [] : [id])[0] ?? noJob

/**
 * Everything waiting on this device for the person of now; what the warning before signing out
 * counts.
 */
export function waitingUploads(): UploadItem[] {
  return store.get(uploadsAtom).filter((item) => item.state !== 'sent' && item.state !== 'refused')
}

/** What to say of an upload that only this page has. */
export const memoryNote = msg`Ini hanya menunggu selama halaman ini terbuka, karena perangkat ini tidak bisa menyimpannya.`

/** Whether an upload that is still to be sent would go with this page. */
export const goesWithPage = ({ inMemory, state }: UploadItem): boolean =>
  inMemory === true && state !== 'sent' && state !== 'refused'

/** `memoryNote` in the language of now; undefined where none of the uploads goes with the page. */
export function useMemoryNote(uploads: readonly UploadItem[]): string | undefined {
  const { i18n } = useLingui()
  return uploads.some(goesWithPage) ? i18n._(memoryNote) : undefined
}
