import type { ToolMark } from '#tools/ui/page.ts'

export const swapFaceIcon: ToolMark = {
  line: (
    <>
      <circle cx="14" cy="25" r="9.5" />
      <path d="M14 8.500c6-5 15-4.5 20 .5m0-6v6h-6M34 40.500c-6 5-15 4.5-20-.5m0 6v-6h6" />
    </>
  ),
  fill: <circle cx="34" cy="24" r="10" />,
}
