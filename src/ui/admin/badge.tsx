import type { ReactNode } from 'react'
import { initialsOf } from '../initials.ts'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

const dots = { plain: '', good: 'status-success', warn: 'status-warning', bad: 'status-error' }

/** A state in a word, with a dot in its colour; the accent says what somebody is, and has none. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`badge badge-sm gap-1.5 rounded-full font-semibold whitespace-nowrap ${tone === 'accent' ? 'border-transparent bg-soft text-on-soft' : 'badge-ghost'}`}
    >
      {tone !== 'accent' && <span aria-hidden className={`status ${dots[tone]}`} />}
      {children}
    </span>
  )
}

/** Somebody's initials. */
export function Avatar({ name }: { name: string }) {
  return (
    <span aria-hidden className="avatar avatar-placeholder">
      <span className="grid size-7 place-items-center rounded-full bg-soft font-bold text-[0.6875rem] text-on-soft">
        {initialsOf(name || '?')}
      </span>
    </span>
  )
}

/** Somebody by name and address. */
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
