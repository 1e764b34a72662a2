import { t } from '@lingui/core/macro'
import type { UploadItem } from '../queue/item.ts'

/** Reason of a refusal: the server's own words, or those for a proxy. */
export function refusalText({ message, lastStatus }: Pick<UploadItem, 'message' | 'lastStatus'>): string {
  if (message) return message
  if (lastStatus === 413) {
    return t`Proksi jaringan menolak foto ini, walaupun dikirim dalam potongan kecil. Coba lewat jaringan lain, atau hubungi kami.`
  }
  return t`Terjadi kesalahan`
}
