import type { ReactNode } from 'react'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

const dots = { plain: 'bg-muted', good: 'bg-success', warn: 'bg-warning', bad: 'bg-error' }

/** The accent variant names a role and has no dot. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`badge badge-sm h-auto gap-1.5 rounded-full font-semibold ${tone === 'accent' ? 'border-transparent bg-soft text-on-soft' : 'badge-ghost'}`}
    >
      {tone !== 'accent' && <span aria-hidden className={`size-2 shrink-0 rounded-full ${dots[tone]}`} />}
      {children}
    </span>
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toUpperCase()
}

export function Avatar({ name }: { name: string }) {
  return (
    <span aria-hidden className="avatar avatar-placeholder">
      <span className="grid size-7 place-items-center rounded-full bg-soft font-bold text-[0.6875rem] text-on-soft">
        {initialsOf(name || '?')}
      </span>
    </span>
  )
}

export function Person({ name, email }: { name: string; email?: string }) {
  return (
    <span className="flex min-w-0 max-w-88 items-center gap-2.5">
      <Avatar name={name} />
      <span className="min-w-0">
        <span className="block truncate">{name}</span>
        {email && <span className="block truncate font-normal text-muted text-xs">{email}</span>}
      </span>
    </span>
  )
}
