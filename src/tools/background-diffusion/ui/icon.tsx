import type { ToolMark } from '#tools/ui/page.ts'

export const backgroundDiffusionIcon: ToolMark = {
  line: (
    <>
      <rect x="5" y="7" width="38" height="34" rx="9" />
      <path d="m6 35 10-11 8 8 7-7 11 11" />
    </>
  ),
  fill: <circle cx="33" cy="16.5" r="4.5" />,
}
