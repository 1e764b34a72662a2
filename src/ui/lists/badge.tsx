import type { ReactNode } from 'react'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

const dots = { plain: 'bg-muted', good: 'bg-success', warn: 'bg-warning', bad: 'bg-error' }

/** The accent variant names a role and has no dot. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`badge badge-sm gap-1.5 rounded-full font-semibold whitespace-nowrap ${tone === 'accent' ? 'border-transparent bg-soft text-on-soft' : 'badge-ghost'}`}
    >
      {tone !== 'accent' && <span aria-hidden className={`size-2 rounded-full ${dots[tone]}`} />}
      {children}
    </span>
  )
}
