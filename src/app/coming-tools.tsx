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
  {
    id: 'face-cutout',
    route: '/ai-face-cutout',
    name: msg`Potong Wajah`,
    tagline: msg`Wajah siap tempel, lengkap dengan rambut`,
    icon: {
      line: (
        <path
          d="M24 4c9 0 15 6.5 15 15.500C39 30 32 40 24 40S9 30 9 19.500C9 10.5 15 4 24 4z"
          strokeDasharray="5 4.2"
        />
      ),
      fill: (
        <path d="M24 10c5.6 0 9.3 4 9.3 9.600C33.3 26.5 29 33.5 24 33.500s-9.3-7-9.3-13.900C14.7 14 18.4 10 24 10z" />
      ),
    },
  },
]
