import type { ToolMark } from '#tools/ui/page.ts'

export const objectRemovalIcon: ToolMark = {
  line: (
    <>
      <circle cx="18" cy="29" r="12.5" strokeDasharray="4.5 4" />
      <path d="M6 45h36" />
    </>
  ),
  fill: (
    <path d="m24.5 25.2 13.8-18c1.2-1.5 3.6-1.2 4.4.5.4.9.3 1.9-.3 2.700L30 29.600c-1.3 1.8-3.9 2-5.5.4a3.5 3.5 0 0 1 0-4.800z" />
  ),
}
