import { t } from '@lingui/core/macro'
import type { UploadItem } from '#upload-queue/store.ts'

export function refusalText({ message, lastStatus }: Pick<UploadItem, 'message' | 'lastStatus'>): string {
  if (message) return message
  if (lastStatus === 413) {
    return t`Proksi jaringan menolak foto ini, walaupun dikirim dalam potongan kecil. Coba lewat jaringan lain, atau hubungi kami.`
  }
  return t`Terjadi kesalahan`
}
