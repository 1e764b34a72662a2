import { ImageIcon } from 'lucide-react'

/**
 * A row of choices, each shown by what the person's own picture would become; a mark stands where
 * there is none yet.
 */
export function SampleChoice<Value extends string>({
  label,
  options,
  value,
  onChange,
  samples,
  portrait = false,
}: {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  samples: Readonly<Partial<Record<Value, string>>>
  /** Samples are 3:4 instead of square. */
  portrait?: boolean
}) {
  return (
    <fieldset
      aria-label={label}
      className={`-mx-5 flex min-w-0 overflow-x-auto px-5 py-1 [scrollbar-width:none] lg:mx-0 lg:grid lg:overflow-visible lg:px-0 ${portrait ? 'gap-1.5 lg:grid-cols-5' : 'gap-1 lg:grid-cols-6'}`}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={value === option.value}
          onClick={() => onChange(option.value)}
          className="group flex w-16 shrink-0 flex-col items-center gap-1 rounded-xl text-xs lg:w-auto"
        >
          <span
            className={`sample-picture grid w-full place-items-center overflow-hidden rounded-xl bg-base-200 ring-1 ring-base-content/15 ring-inset group-aria-pressed:outline-2 group-aria-pressed:outline-primary group-aria-pressed:outline-offset-2 ${portrait ? 'aspect-3/4' : 'aspect-square'}`}
          >
            {samples[option.value] ? (
              <img src={samples[option.value]} alt="" className="size-full object-cover" />
            ) : (
              <ImageIcon aria-hidden className="size-5 text-muted" />
            )}
          </span>
          <span className="whitespace-nowrap">{option.label}</span>
        </button>
      ))}
    </fieldset>
  )
}
