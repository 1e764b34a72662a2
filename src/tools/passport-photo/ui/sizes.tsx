import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '#client/format.ts'
import { ChoiceRow } from '#tools/ui/controls.tsx'
import type { Correction } from '#tools/ui/correction.ts'
import type { PanelProps } from '#tools/ui/page.ts'
import { useChosenInView } from '#tools/ui/use-chosen-in-view.ts'
import { Segmented } from '#ui/segmented.tsx'
import {
  backgroundColour,
  type PassportPhotoParams,
  type PassportPreset,
  type PassportRule,
  photoSize,
  type Range,
  ruleLimits,
} from '../contract/definition.ts'
import { findPreset, officialColourOf } from '../contract/presets.ts'
import { isUnframeable, type PortraitFacts } from '../engine/frame.ts'
import { PhotoSample, SampleButton, type SmallPerson } from './samples.tsx'

export interface PassportPanelProps extends PanelProps<PassportPhotoParams, Correction> {
  person: SmallPerson | null
  presets: readonly PassportPreset[]
  rule: PassportRule
  colour: string
}

export function Sizes(props: PassportPanelProps) {
  const { t, i18n } = useLingui()
  const { params, onChange, person, presets, rule, colour, check } = props
  const chosen = findPreset(params.preset, presets)
  const say = (text: { id: string; en: string }) => (i18n.locale === 'en' ? text.en : text.id)
  const choose = (preset: PassportPreset) =>
    onChange({
      preset: preset.id,
      rule: undefined,
      background: officialColourOf(preset, params.background),
      ...(preset.rule.kilobytes && { format: 'jpeg' }),
    })
  const { name: source, en: inEnglish, date: asOf } = chosen?.source ?? { name: '', date: '' }
  const sourceName = say({ id: source, en: inEnglish ?? source })
  const { width, height } = photoSize(rule)
  const portrait = check?.facts.portrait as unknown as PortraitFacts | undefined
  const isFit = (preset: PassportPreset) => portrait !== undefined && !isUnframeable(portrait, preset.rule)
  const fitting = portrait && isUnframeable(portrait, rule) ? presets.filter(isFit) : []
  const row = useChosenInView<HTMLFieldSetElement>()
  const pixels = `${formatNumber(width)} × ${formatNumber(height)}`
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <fieldset
        ref={row}
        aria-label={t`Keperluan`}
        className="-mx-(--pad) flex min-w-0 items-end gap-1 overflow-x-auto px-(--pad) py-1 [scrollbar-width:none] lg:mx-0 lg:grid lg:max-h-84 lg:grid-cols-3 lg:overflow-y-auto lg:px-1"
      >
        {presets.map((preset) => (
          <SampleButton
            large
            key={preset.id}
            name={say(preset.name)}
            checked={params.preset === preset.id}
            onSelect={() => choose(preset)}
          >
            <PhotoSample
              person={person}
              rule={preset.rule}
              colour={backgroundColour(officialColourOf(preset, params.background))}
              height={56}
            />
          </SampleButton>
        ))}
        <SampleButton
          large
          name={t`Ukuran sendiri`}
          checked={params.preset === 'own'}
          onSelect={() => onChange({ preset: 'own', rule: params.rule ?? rule })}
        >
          <PhotoSample person={person} rule={params.preset === 'own' ? rule : ownRule} colour={colour} height={56} />
        </SampleButton>
      </fieldset>
      {params.preset === 'own' && <OwnSize rule={rule} onChange={(own) => onChange({ rule: own })} />}
      {fitting.length > 0 && (
        <ChoiceRow label={t`Foto ini cukup untuk`} className="items-center gap-1.5 lg:grid-cols-2">
          <span aria-hidden className="shrink-0 text-sm lg:col-span-full">
            {t`Foto ini cukup untuk`}:
          </span>
          {fitting.map((preset) => (
            <button
              key={preset.id}
              type="button"
              className="btn btn-soft btn-primary btn-sm min-h-11! shrink-0"
              onClick={() => {
                choose(preset)
                // This button disappears with the refusal.
                row.current?.querySelectorAll('button')[presets.indexOf(preset)]?.focus()
              }}
            >
              {say(preset.name)}
            </button>
          ))}
        </ChoiceRow>
      )}
      {chosen?.forbidsGlasses && check?.checks.some(({ code, status }) => code === 'glasses' && status !== 'ok') && (
        <p className="font-semibold text-sm text-warning leading-snug">
          {t`Visa ini menolak foto berkacamata. Kalau kamu memakainya di foto ini, pilih foto lain.`}
        </p>
      )}
      <p className="text-muted text-xs leading-snug">
        {chosen ? `${say(chosen.note)} ` : ''}
        {t`${pixels} piksel.`} {source && t`Sumber: ${sourceName}, ${asOf}. Cek lagi ke kantor yang dituju.`}
      </p>
    </div>
  )
}

const ownRule: PassportRule = {
  width: 300,
  height: 300,
  unit: 'px',
  dpi: 300,
  head: { min: 0.5, max: 0.6 },
  eyes: { min: 0.5, max: 0.66 },
}

function OwnSize({ rule, onChange }: { rule: PassportRule; onChange: (rule: PassportRule) => void }) {
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
