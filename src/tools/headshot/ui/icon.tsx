import type { ToolMark } from '#tools/ui/page.ts'

export const headshotIcon: ToolMark = {
  line: <path d="M7 42V23a17 17 0 0 1 34 0v19z" />,
  fill: (
    <>
      <circle cx="24" cy="20" r="6" />
      <path d="M13 42c.4-7.5 4.8-12 11-12s10.6 4.5 11 12z" />
    </>
  ),
}
