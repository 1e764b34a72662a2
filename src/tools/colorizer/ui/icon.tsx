import type { ToolMark } from '#tools/ui/page.ts'

export const colorizerIcon: ToolMark = {
  line: (
    <>
      <circle cx="16.5" cy="30" r="11" />
      <circle cx="31.5" cy="30" r="11" />
    </>
  ),
  fill: <circle cx="24" cy="16.5" r="11" opacity=".85" />,
}
