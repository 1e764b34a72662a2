import type { ToolMark } from '#tools/ui/page.ts'

export const videoBackgroundRemovalIcon: ToolMark = {
  line: (
    <>
      <rect x="4" y="10" width="40" height="28" rx="8" strokeDasharray="5 4.2" />
      <path d="M14 10v28M34 10v28" strokeWidth="1.6" />
    </>
  ),
  fill: <path d="M20.5 17.500c0-1.2 1.3-2 2.3-1.300l8 6.300c1 .7 1 2.2 0 2.900l-8 6.300c-1 .8-2.3 0-2.3-1.200z" />,
}
