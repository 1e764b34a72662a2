import type { ToolMark } from '#tools/ui/page.ts'

export function ToolIcon({ mark, className = 'size-8' }: { mark: ToolMark; className?: string }) {
  return (
    <svg viewBox="0 0 48 48" className={className} aria-hidden="true">
      <g fill="var(--color-primary)">{mark.fill}</g>
      <g fill="none" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round">
        {mark.line}
      </g>
    </svg>
  )
}
