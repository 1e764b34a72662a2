import { msg } from '@lingui/core/macro'
import type { ToolEntry } from './page.ts'

export const customEditEntry: ToolEntry = {
  id: 'customize-edit',
  route: '/customize-edit',
  name: msg`Edit Khusus`,
  tagline: msg`Ceritakan maumu, desainer kami yang kerjakan`,
  icon: {
    line: <path d="M13 7h22a8 8 0 0 1 8 8v13a8 8 0 0 1-8 8H23l-10 8v-8a8 8 0 0 1-8-8V15a8 8 0 0 1 8-8z" />,
    fill: (
      <path d="M24 12.500c.9 5.6 2.8 8 7.3 9.5-4.5 1.5-6.4 3.9-7.3 9.5-.9-5.6-2.8-8-7.3-9.5 4.5-1.5 6.4-3.9 7.3-9.500z" />
    ),
  },
}
