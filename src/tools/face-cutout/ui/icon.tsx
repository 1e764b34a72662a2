import type { ToolMark } from '#tools/ui/page.ts'

export const faceCutoutIcon: ToolMark = {
  line: (
    <path d="M24 4c9 0 15 6.5 15 15.500C39 30 32 40 24 40S9 30 9 19.500C9 10.5 15 4 24 4z" strokeDasharray="5 4.2" />
  ),
  fill: <path d="M24 10c5.6 0 9.3 4 9.3 9.600C33.3 26.5 29 33.5 24 33.500s-9.3-7-9.3-13.900C14.7 14 18.4 10 24 10z" />,
}
