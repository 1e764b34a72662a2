import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '#client/format.ts'
import type { Correction } from '#tools/ui/correction.ts'
import type { PanelProps } from '#tools/ui/page.ts'
import type { PassportPhotoParams, PassportPreset, PassportRule } from '../contract/definition.ts'
import { findPreset, officialColourOf } from '../contract/presets.ts'
import { backgroundColour, photoSize } from '../contract/rule.ts'
import { OwnSize } from './own-size.tsx'
import { PhotoSample, SampleButton } from './photo-sample.tsx'
import type { SmallPerson } from './portrait-sample.tsx'

export interface PassportPanelProps extends PanelProps<PassportPhotoParams, Correction> {
  person: SmallPerson | null
  presets: readonly PassportPreset[]
  rule: PassportRule
  colour: string
}

export function Sizes(props: PassportPanelProps) {
  const { t, i18n } = useLingui()
  const { params, onChange, person, presets, rule, colour } = props
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
  const pixels = `${formatNumber(width)} × ${formatNumber(height)}`
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <fieldset
        aria-label={t`Keperluan`}
        className="-mx-5 flex min-w-0 items-end gap-1 overflow-x-auto px-5 py-1 [scrollbar-width:none] lg:mx-0 lg:grid lg:max-h-84 lg:grid-cols-3 lg:overflow-y-auto lg:px-1"
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
