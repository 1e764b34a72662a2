import '#ui/late-components.css'
import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'

const steps = [1, 2, 3, 4, 5]

export function Stars({ count }: { count: number }) {
  const { t } = useLingui()
  return (
    <span role="img" aria-label={t`${count} dari 5 bintang`} className="rating rating-sm">
      {steps.map((step) => (
        <span key={step} className="mask mask-star-2 bg-primary" aria-current={step === count || undefined} />
      ))}
    </span>
  )
}

/** 0: none chosen yet. */
export function StarChoice({ value, onChange }: { value: number; onChange: (stars: number) => void }) {
  const { t } = useLingui()
  const name = useId()
  return (
    // The mask of a star would cut its own outline off.
    <div
      role="radiogroup"
      aria-label={t`Penilaian`}
      className="rating justify-self-start rounded-field has-focus-visible:outline-2"
    >
      {steps.map((count) => (
        <input
          key={count}
          type="radio"
          name={name}
          className="mask mask-star-2 size-11 bg-primary"
          aria-label={t`${count} dari 5 bintang`}
          checked={value === count}
          onChange={() => onChange(count)}
        />
      ))}
    </div>
  )
}
