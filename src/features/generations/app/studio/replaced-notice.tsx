import { useLingui } from '@lingui/react/macro'
import type { LucideIcon } from 'lucide-react'
import { History } from 'lucide-react'
import { askedInputs, mainInput, maxFiles, takesVideo } from './inputs.ts'
import { hasPictures, type StudioProps } from './studio-state.ts'

export function ReplacedNotice({ page, state, dispatch }: StudioProps) {
  const { t } = useLingui()
  const { definition } = page
  if (!state.replaced) return null
  const rest = state.generations.length > 0 ? (state.replaced.inputs[mainInput(definition)]?.length ?? 0) : 0
  // Pictures of several roles cannot be told apart when combined.
  const several =
    rest === 0 &&
    hasPictures(state) &&
    askedInputs(page).length === 1 &&
    maxFiles(definition, mainInput(definition)) > 1
  const combine = { label: t`Pakai semuanya`, onChoose: () => dispatch({ type: 'combined' }) }
  const restore = {
    label: rest > 0 ? t`Lanjutkan` : t({ message: 'Kembalikan', context: 'a replaced photo' }),
    onChoose: () => dispatch({ type: 'restored' }),
  }
  return (
    <NoteRow
      icon={History}
      text={
        rest > 0
          ? t`${rest} foto belum diproses`
          : takesVideo(definition)
            ? t`Video sebelumnya masih ada`
            : t`Foto sebelumnya masih ada`
      }
      choices={several ? [combine, restore] : [restore]}
    />
  )
}

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
      <span className="min-w-[min(11rem,80%)] flex-1 py-1.5 pl-1.5">{text}</span>
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
