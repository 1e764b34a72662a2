import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { UploadItem } from '../queue/item.ts'

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
