import type { ToolMark } from '#tools/ui/page.ts'

export const backgroundRemovalIcon: ToolMark = {
  line: <rect x="5" y="5" width="38" height="37" rx="9" strokeDasharray="5 4.2" />,
  fill: (
    <>
      <circle cx="24" cy="19" r="6.5" />
      <path d="M11.5 41.5c.4-8 5.4-13 12.5-13s12.1 5 12.5 13z" />
    </>
  ),
}
