import type { ToolMark } from '#tools/ui/page.ts'

export const enhancementIcon: ToolMark = {
  line: (
    <>
      <rect x="5" y="5" width="38" height="38" rx="9" />
      <path d="M24 5v38" strokeDasharray="4 3.5" />
      <path d="M10.5 15h4v4h4v4h-4v4h-4z" strokeWidth="1.8" />
    </>
  ),
  fill: <path d="M33.5 13c.9 5.3 2.7 7.5 7 9-4.3 1.5-6.1 3.7-7 9-.9-5.3-2.7-7.5-7-9 4.3-1.5 6.1-3.7 7-9z" />,
}
