import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { OpenItem } from '#features/admin/contributions.ts'
import type { RefusalKind } from '#shared/moderation.ts'
import type { ReportCategory } from '../../rules.ts'

export const contentReportItem: OpenItem = {
  count: 'contentReports',
  needs: 'moderation',
  path: '/admin/laporan',
  text: (open) => msg`${plural(open.contentReports, { other: 'gambar yang dilaporkan menunggu' })}`,
}

export const categoryLabels: Record<ReportCategory, MessageDescriptor> = {
  minor: msg`Melibatkan anak`,
  sexual: msg`Seksual`,
  without_consent: msg`Tanpa izin`,
  deception: msg`Penipuan`,
  hate: msg`Kebencian atau kekerasan`,
  other: msg`Lainnya`,
}

export const refusalLabels: Record<RefusalKind, MessageDescriptor> = {
  words: msg`kata-kata`,
  picture: msg`gambar`,
  provider: msg`aturan mesin luar`,
}
