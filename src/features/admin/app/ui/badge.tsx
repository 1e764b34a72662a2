import type { ReactNode } from 'react'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

/** A state in a word, with a dot in its colour. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className="adm-badge" data-tone={tone}>
      {children}
    </span>
  )
}

/** The first letters of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toUpperCase()
}

/** Somebody by name and address. */
export function Person({ name, email }: { name: string; email?: string }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
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
