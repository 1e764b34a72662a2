import { useLingui } from '@lingui/react/macro'
import type { UploadItem } from '#sw/queue/item.ts'

/** Whether an upload that is still to be sent would go with this page. */
export const goesWithPage = ({ inMemory, state }: UploadItem): boolean =>
  inMemory === true && state !== 'sent' && state !== 'refused'

/** What to say of uploads that only this page has; undefined where none of them goes with it. */
export function useMemoryNote(uploads: readonly UploadItem[]): string | undefined {
  const { t } = useLingui()
  return uploads.some(goesWithPage)
    ? t`Ini hanya menunggu selama halaman ini terbuka, karena perangkat ini tidak bisa menyimpannya.`
    : undefined
}
