import type { ToolMark } from '#tools/ui/page.ts'

export const cartoonizerIcon: ToolMark = {
  line: (
    <>
      <circle cx="24" cy="24" r="18" />
      <path d="M15.5 28c2 4.6 5 6.8 8.5 6.8s6.5-2.2 8.5-6.8z" />
    </>
  ),
  fill: (
    <>
      <circle cx="17.5" cy="19.5" r="3" />
      <circle cx="30.5" cy="19.5" r="3" />
    </>
  ),
}
