import { msg, t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { atom, useAtomValue } from 'jotai'
import { store } from '#client/session.ts'
import type { UploadItem } from '#upload-queue/store.ts'

// State for screens is apart from send-uploads.ts, which writes it and loads on demand.

/** Visible to the current user, oldest first. */
export const uploadsAtom = atom<UploadItem[]>([])
/** Share that has left the device, 0 to 1. */
export const progressAtom = atom<Record<string, number>>({})
export const resultsAtom = atom<Record<string, string>>({})

export const needsUserAction = ({ state }: UploadItem): boolean =>
  state === 'sign_in' || state === 'credits' || state === 'confirm' || state === 'refused' || state === 'unreadable'

export function useUploads(): UploadItem[] {
  return useAtomValue(uploadsAtom)
}

export interface Job {
  /** Present while the job is in the queue. */
  upload: UploadItem | undefined
  resultId: string | null
}

/** Finds a job by its id. */
export const jobsAtom = atom((get) => {
  const uploads = get(uploadsAtom)
  const results = get(resultsAtom)
  return (id: string): Job => ({ upload: uploads.find((item) => item.id === id), resultId: results[id] ?? null })
})

export const useJobs = (ids: readonly string[]): Job[] => ids.map(useAtomValue(jobsAtom))

/** `progress`: share that has left the device, 0 to 1. */
export function useJob(id: string | null): Job & { progress: number } {
  const job = useAtomValue(jobsAtom)(id ?? '')
  return { ...job, progress: useAtomValue(progressAtom)[id ?? ''] ?? 0 }
}

export function waitingUploads(): UploadItem[] {
  return store.get(uploadsAtom).filter((item) => item.state !== 'sent' && item.state !== 'refused')
}

export const memoryNote = msg`Jangan tutup halaman ini: perangkat ini tidak bisa menyimpan unggahanmu.`

/** True if closing this page would lose the unsent upload. */
export const isMemoryOnly = ({ inMemory, state }: UploadItem): boolean =>
  inMemory === true && state !== 'sent' && state !== 'refused'

export function useMemoryNote(uploads: readonly UploadItem[]): string | undefined {
  const { i18n } = useLingui()
  return uploads.some(isMemoryOnly) ? i18n._(memoryNote) : undefined
}

export function refusalText({ message, lastStatus }: Pick<UploadItem, 'message' | 'lastStatus'>): string {
  if (message) return message
  if (lastStatus === 413) {
    return t`Proksi jaringan menolak foto ini, walaupun dikirim dalam potongan kecil. Coba lewat jaringan lain, atau hubungi kami.`
  }
  return t`Terjadi kesalahan`
}
