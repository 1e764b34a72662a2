import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { findToolPage } from '#tools/pages.ts'
import type { GenerationStatus } from '../rules.ts'
import type { GenerationView } from '../schemas.ts'

const pictureStatus: Record<GenerationStatus, MessageDescriptor> = {
  queued: msg`Menunggu giliran`,
  detecting: msg`Mendeteksi wajah`,
  generating: msg`Membuat gambar`,
  succeeded: msg`Gambar berhasil dibuat`,
  failed: msg`Gagal membuat gambar`,
  cancelled: msg`Dibatalkan`,
}

const videoStatus: typeof pictureStatus = {
  ...pictureStatus,
  detecting: msg`Mencari subjek`,
  generating: msg`Membuat video`,
  succeeded: msg`Video berhasil dibuat`,
  failed: msg`Gagal membuat video`,
}

export function statusLabels({ tool, status, inputs, outputs }: GenerationView): MessageDescriptor {
  const video = [...inputs, ...outputs].some(({ contentType }) => contentType.startsWith('video/'))
  if (status === 'detecting' && !video && !findToolPage(tool)?.definition.needsConsent) return msg`Memeriksa foto`
  return (video ? videoStatus : pictureStatus)[status]
}

/** Names the tool, since another picture may be shown. */
export function noticeText(generation: GenerationView, path: string): string {
  const status = i18n._(statusLabels(generation))
  const definition = findToolPage(generation.tool)?.definition
  if (!definition) return status
  const which = definition.route === path ? t`Hasil lain` : i18n._(definition.label)
  return `${which}: ${status}`
}

export const statusBadges: Record<GenerationStatus, MessageDescriptor> = {
  queued: msg`Antre`,
  detecting: msg`Diproses`,
  generating: msg`Diproses`,
  succeeded: msg`Selesai`,
  failed: msg`Gagal`,
  cancelled: msg`Dibatalkan`,
}
