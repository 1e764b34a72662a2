import type { ToolMark } from '#tools/ui/page.ts'

export const photoLayoutIcon: ToolMark = {
  line: (
    <>
      <rect x="5" y="5" width="16" height="22" rx="5" />
      <rect x="27" y="5" width="16" height="12" rx="5" />
      <rect x="5" y="33" width="16" height="10" rx="5" />
    </>
  ),
  fill: <rect x="27" y="23" width="16" height="20" rx="5" />,
}
