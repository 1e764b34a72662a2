import type { LucideIcon } from 'lucide-react'

export function NoteRow({
  icon: Icon,
  text,
  choices,
}: {
  icon: LucideIcon
  text: string
  choices: readonly { label: string; onChoose: () => void }[]
}) {
  return (
    <div
      role="status"
      className="flex min-h-11 flex-wrap items-center gap-x-1 rounded-field bg-soft pl-3.5 text-on-soft text-sm leading-snug"
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 py-1.5 pl-1.5">{text}</span>
      {choices.map(({ label, onChoose }) => (
        <button
          key={label}
          type="button"
          className="btn btn-ghost min-h-11 px-2 text-sm underline underline-offset-4"
          onClick={onChoose}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
