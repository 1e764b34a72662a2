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
