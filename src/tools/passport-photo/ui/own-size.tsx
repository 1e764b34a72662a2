import { useLingui } from '@lingui/react/macro'
import { Segmented } from '#ui/segmented.tsx'
import { type PassportRule, type Range, ruleLimits } from '../contract/definition.ts'

export function OwnSize({ rule, onChange }: { rule: PassportRule; onChange: (rule: PassportRule) => void }) {
  const { t } = useLingui()
  const { unit, kilobytes } = rule
  const convert = (next: PassportRule['unit']) => {
    const scale = next === unit ? 1 : next === 'px' ? rule.dpi / 25.4 : 25.4 / rule.dpi
    const size = (value: number, { min, max }: Range) =>
      Math.min(max, Math.max(min, next === 'px' ? Math.round(value * scale) : Math.round(value * scale * 10) / 10))
    onChange({
      ...rule,
      unit: next,
      width: size(rule.width, ruleLimits[next].width),
      height: size(rule.height, ruleLimits[next].height),
    })
  }
  const file = (change: { min?: number; max?: number }) => {
    const { min, max } = { ...kilobytes, ...change }
    onChange({ ...rule, kilobytes: { ...(min && { min }), ...(max && { max }) } })
  }
  return (
    <div className="grid gap-2">
      <Segmented label={t`Satuan`} value={unit} onChange={convert} choices={{ mm: t`Milimeter`, px: t`Piksel` }} />
      <div className="grid grid-cols-3 gap-2">
        <Amount
          label={t`Lebar`}
          value={rule.width}
          range={ruleLimits[unit].width}
          step={unit === 'mm' ? 0.1 : 1}
          onChange={(width) => width && onChange({ ...rule, width })}
        />
        <Amount
          label={t`Tinggi`}
          value={rule.height}
          range={ruleLimits[unit].height}
          step={unit === 'mm' ? 0.1 : 1}
          onChange={(height) => height && onChange({ ...rule, height })}
        />
        <Amount
          label="dpi"
          value={rule.dpi}
          range={ruleLimits.dpi}
          step={1}
          onChange={(dpi) => dpi && onChange({ ...rule, dpi })}
        />
        <Amount
          label={t`KB paling kecil`}
          value={kilobytes?.min}
          range={ruleLimits.leastKilobytes}
          step={1}
          onChange={(min) => file({ min })}
        />
        <Amount
          label={t`KB paling besar`}
          value={kilobytes?.max}
          range={ruleLimits.mostKilobytes}
          step={1}
          onChange={(max) => file({ max })}
        />
      </div>
    </div>
  )
}

/** Applies values within its range; empty means none. */
function Amount({
  label,
  value,
  range: { min, max },
  step,
  onChange,
}: {
  label: string
  value: number | undefined
  range: Range
  step: number
  onChange: (value: number | undefined) => void
}) {
  return (
    <label className="grid gap-0.5 text-xs">
      <span className="text-muted">{label}</span>
      <input
        type="number"
        inputMode="decimal"
        className="input min-h-11 w-full"
        key={`${label} ${min} ${max}`}
        defaultValue={value}
        min={min}
        max={max}
        step={step}
        onChange={({ target }) => {
          const next = target.valueAsNumber
          if (target.value === '') onChange(undefined)
          else if (next >= min && next <= max) onChange(step === 1 ? Math.round(next) : next)
        }}
      />
    </label>
  )
}
