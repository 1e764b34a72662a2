import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ToolMark } from '#tools/page.ts'

/** What menus, galleries and lists show of a tool. */
export interface ToolEntry {
  id: string
  route: string
  name: MessageDescriptor
  tagline: MessageDescriptor
  icon: ToolMark
}

/** The tools still to come. Once one is built, its mark and texts move into its folder. */
export const comingTools: readonly ToolEntry[] = [
  {
    id: 'colorizer',
    route: '/ai-colorizer',
    name: msg`Warnai Foto`,
    tagline: msg`Warna untuk foto hitam putih`,
    icon: {
      line: (
        <>
          <circle cx="16.5" cy="30" r="11" />
          <circle cx="31.5" cy="30" r="11" />
        </>
      ),
      fill: <circle cx="24" cy="16.5" r="11" opacity=".85" />,
    },
  },
]
