import type { LucideIcon } from 'lucide-react'
import { useId } from 'react'

interface Choice {
  label: string
  icon?: LucideIcon
  lang?: string
}

export function Segmented<Value extends string>({
  label,
  labelShown = false,
  choices,
  value,
  onChange,
}: {
  label: string
  /** Otherwise the label is for screen readers only. */
  labelShown?: boolean
  choices: Readonly<Record<Value, string | Choice>>
  value: Value
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset>
      <legend className={labelShown ? 'mb-3 font-semibold text-sm' : 'sr-only'}>{label}</legend>
      <div className="wrap-normal flex flex-wrap gap-1 rounded-2xl bg-base-200 p-1">
        {(Object.keys(choices) as Value[]).map((own) => {
          const choice: string | Choice = choices[own]
          const { label: text, icon: Icon, lang } = typeof choice === 'string' ? ({ label: choice } as Choice) : choice
          return (
            <label
              key={own}
              lang={lang}
              className="flex min-h-11 flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-xl px-2 text-center text-sm transition-colors has-checked:bg-base-100 has-checked:font-semibold has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-primary"
            >
              <input
                type="radio"
                name={name}
                className="sr-only"
                checked={own === value}
                onChange={() => onChange(own)}
              />
              {Icon && <Icon aria-hidden className="size-4 shrink-0" />}
              {text}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
