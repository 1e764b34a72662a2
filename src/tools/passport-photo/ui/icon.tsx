import type { ToolMark } from '#tools/ui/page.ts'

export const passportPhotoIcon: ToolMark = {
  line: (
    <>
      <rect x="10" y="4" width="28" height="40" rx="6" />
      <path d="M4 8v32M4 8h2.500M4 18.500h2.500M4 29.500h2.500M4 40h2.5" strokeWidth="1.8" />
    </>
  ),
  fill: (
    <>
      <circle cx="24" cy="18" r="5.5" />
      <path d="M14 37c.4-7 4.4-11 10-11s9.6 4 10 11z" />
    </>
  ),
}
