import type { ReactNode } from 'react'
import { initialsOf } from '#ui/initials.ts'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

/** A state in a word, with a dot in its colour. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className="adm-badge" data-tone={tone}>
      {children}
    </span>
  )
}

/** Somebody by name and address. */
export function Person({ name, email }: { name: string; email?: string }) {
  return (
    <span className="adm-person flex min-w-0 items-center gap-2.5">
      <span aria-hidden className="adm-avatar">
        {initialsOf(name || '?')}
      </span>
      <span className="min-w-0">
        <span className="block truncate">{name}</span>
        {email && <span className="block truncate font-normal text-muted text-xs">{email}</span>}
      </span>
    </span>
  )
}
