import { ImageIcon } from 'lucide-react'
import { ChoiceRow, choiceCaption, choiceTile } from './controls.tsx'

/** Shows an icon where there is no sample of the user's own picture yet. */
export function SampleChoice<Value extends string>({
  label,
  choices,
  value,
  onChange,
  samples,
  portrait = false,
}: {
  label: string
  choices: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
  samples: Readonly<Partial<Record<Value, string>>>
  /** Samples are 3:4 instead of square. */
  portrait?: boolean
}) {
  return (
    <ChoiceRow
      label={label}
      className={
        portrait
          ? 'gap-1.5 lg:grid-cols-[repeat(auto-fill,minmax(3.75rem,1fr))]'
          : 'gap-1 lg:grid-cols-[repeat(auto-fill,minmax(3.25rem,1fr))]'
      }
    >
      {(Object.keys(choices) as Value[]).map((own) => (
        <button
          key={own}
          type="button"
          aria-pressed={value === own}
          onClick={() => onChange(own)}
          className={choiceTile}
        >
          <span
            className={`sample-picture grid w-16 place-items-center lg:w-full overflow-hidden rounded-xl bg-base-200 ring-1 ring-base-content/15 ring-inset group-aria-pressed:outline-2 group-aria-pressed:outline-primary group-aria-pressed:outline-offset-2 ${portrait ? 'aspect-3/4' : 'aspect-square'}`}
          >
            {samples[own] ? (
              <img src={samples[own]} alt="" className="size-full object-cover" />
            ) : (
              <ImageIcon aria-hidden className="size-5 text-muted" />
            )}
          </span>
          <span className={choiceCaption}>{choices[own]}</span>
        </button>
      ))}
    </ChoiceRow>
  )
}
