import { msg, plural, t } from '@lingui/core/macro'
import type { OpenItem, TimelineSection } from '#features/admin/contributions.ts'

export const refundRequestItem: OpenItem = {
  count: 'refundRequests',
  needs: 'refunds',
  path: '/admin/klaim',
  text: (open) => msg`${plural(open.refundRequests, { other: 'permintaan kredit kembali menunggu' })}`,
}

export const generationSection: TimelineSection = {
  name: msg({ message: 'Pembuatan', context: 'a single one' }),
  wordsOf: ({ what, detail }, { toolName, state }) => [`${toolName(what)} · ${state}`, detail],
}

export const refundRequestSection: TimelineSection = {
  name: msg({ message: 'Permintaan kredit kembali', context: 'a single one' }),
  wordsOf: ({ detail }, { state: stands }) => [t`Minta kredit kembali · ${stands}`, detail],
}
