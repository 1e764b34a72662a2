import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { atom, useAtomValue } from 'jotai'
import { store } from '#client/session.ts'
import type { UploadItem } from '../queue/item.ts'

// State of the uploads for screens; written by queue.ts, which loads on demand.

/** Uploads on this device visible to the current user, oldest first. */
export const uploadsAtom = atom<UploadItem[]>([])
/** Share of each that has left the device, 0 to 1. */
export const progressAtom = atom<Record<string, number>>({})
/** Result ids of arrived uploads. */
export const resultsAtom = atom<Record<string, string>>({})

/** True if the upload needs an action by the user. */
export const needsUserAction = ({ state }: UploadItem): boolean =>
  state === 'sign_in' || state === 'credits' || state === 'confirm' || state === 'refused'

export function useUploads(): UploadItem[] {
  return useAtomValue(uploadsAtom)
}

/** A job from its files to the server's result. */
export interface Job {
  /** Present while it is in the queue. */
  upload: UploadItem | undefined
  /** Share that has left the device, 0 to 1. */
  progress: number
  /** Result id, once it has arrived. */
  resultId: string | null
}

/** Follows jobs; each stays listed in every state. */
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

/** The current user's waiting uploads, counted by the warning before signing out. */
export function waitingUploads(): UploadItem[] {
  return store.get(uploadsAtom).filter((item) => item.state !== 'sent' && item.state !== 'refused')
}

/** Note about an upload stored only in this page. */
export const memoryNote = msg`Jangan tutup halaman ini: perangkat ini tidak bisa menyimpan unggahanmu.`

/** True if closing this page would lose the unsent upload. */
export const isMemoryOnly = ({ inMemory, state }: UploadItem): boolean =>
  inMemory === true && state !== 'sent' && state !== 'refused'

/** The note in the current language; undefined if closing the page would lose no upload. */
export function useMemoryNote(uploads: readonly UploadItem[]): string | undefined {
  const { i18n } = useLingui()
  return uploads.some(isMemoryOnly) ? i18n._(memoryNote) : undefined
}
