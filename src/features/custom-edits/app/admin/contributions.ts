import { msg, plural } from '@lingui/core/macro'
import type { OpenItem, RoleWork, TimelineSection } from '#features/admin/contributions.ts'
import { customEditLabels } from '../../labels.ts'
import type { BoardCounts } from '../../schemas.ts'

const path = '/admin/request-custom'

export const customEditItems: OpenItem[] = [
  {
    count: 'customEdits',
    needs: 'requests',
    path,
    text: (open) => msg`${plural(open.customEdits, { other: 'permintaan khusus terbuka' })}`,
  },
  {
    count: 'customEditsOverdue',
    needs: 'requests',
    path,
    text: (open) => msg`${plural(open.customEditsOverdue, { other: 'permintaan lewat tenggat' })}`,
  },
]

export const designerWork: RoleWork = {
  path: 'custom_edits/counts',
  openIn: ({ open, overdue }: BoardCounts) => ({ customEdits: open, customEditsOverdue: overdue }),
}

export const fileRoleLabels = { attachment: msg`Foto asli`, result: msg`Hasil` }

export const customEditSection: TimelineSection = {
  name: msg({ message: 'Permintaan khusus', context: 'a single one' }),
  wordsOf: ({ state, detail }, { text }) => [
    text(customEditLabels[state as keyof typeof customEditLabels], state ?? ''),
    detail,
  ],
  path: (id) => `${path}?id=${id}`,
  needs: 'requests',
}
