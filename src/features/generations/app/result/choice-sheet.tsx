import type { ReactNode } from 'react'
import { BottomSheet } from '#ui/dialog.tsx'

export interface Choice {
  id: string
  icon: ReactNode
  label: string
  description?: string
  detail?: string | false | undefined
  danger?: boolean
  onChoose: () => void
}

export function ChoiceSheet({
  title,
  choices,
  disabled = false,
  onClose,
  children,
}: {
  title: string
  choices: readonly Choice[]
  disabled?: boolean
  onClose: () => void
  children?: ReactNode
}) {
  return (
    <BottomSheet open onClose={onClose} title={title}>
      <ul className="-mx-3 grid gap-1">
        {choices.map(({ id, icon, label, description, detail, danger = false, onChoose }) => (
          <li key={id}>
            <button
              type="button"
              className={`flex min-h-13 w-full cursor-pointer items-center gap-4 rounded-field px-3 py-2 text-left font-semibold transition-colors hover:bg-base-200 ${danger ? 'text-error' : ''}`}
              disabled={disabled}
              onClick={onChoose}
            >
              {icon}
              <span className="min-w-0 flex-1">
                {label}
                {description && <span className="block font-normal text-muted text-sm">{description}</span>}
              </span>
              {detail && <span className="font-normal text-muted text-sm tabular-nums">{detail}</span>}
            </button>
          </li>
        ))}
      </ul>
      {children}
    </BottomSheet>
  )
}
