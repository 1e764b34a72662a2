import { useLingui } from '@lingui/react/macro'
import { ChoiceRow, Switch } from '#tools/ui/controls.tsx'
import { birthYears, officialColours, type PassportBackground } from '../contract/definition.ts'
import { birthYearColour } from '../contract/rule.ts'
import { PhotoSample, SampleButton } from './photo-sample.tsx'
import type { PassportPanelProps } from './sizes.tsx'

export function Backgrounds({ params, onChange, person, rule }: PassportPanelProps) {
  const { t } = useLingui()
  const { background } = params
  const set = (next: PassportBackground) => onChange({ background: next })
  const year = background.type === 'birth-year' ? background.year : 1995
  const foreigner = background.type === 'birth-year' && background.foreigner
  const own = background.type === 'color' ? background.color : '#C9D3DC'
  const sample = (colour: string) => <PhotoSample person={person} rule={rule} colour={colour} height={52} />
  const names = { red: t`Merah`, blue: t`Biru`, white: t`Putih`, orange: t`Oranye` }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <ChoiceRow label={t`Pilihan latar`} className="gap-1 lg:grid-cols-4">
        {(['red', 'blue', 'white'] as const).map((type) => (
          <SampleButton key={type} name={names[type]} checked={background.type === type} onSelect={() => set({ type })}>
            {sample(officialColours[type])}
          </SampleButton>
        ))}
        <SampleButton
          name={t`Tahun lahir`}
          checked={background.type === 'birth-year'}
          onSelect={() => set({ type: 'birth-year', year, foreigner })}
        >
          {sample(officialColours[birthYearColour(year, foreigner)])}
        </SampleButton>
        <label className="relative flex w-17 shrink-0 cursor-pointer flex-col items-center gap-1 rounded-xl px-1 py-1.5 text-xs has-checked:bg-soft has-focus-visible:outline-2 has-focus-visible:outline-primary lg:w-auto">
          {sample(own)}
          <span className={background.type === 'color' ? 'font-semibold' : ''}>{t`Warna`}</span>
          <input
            type="color"
            aria-label={t`Warna latar sendiri`}
            value={own}
            onChange={({ target }) => set({ type: 'color', color: target.value })}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
        </label>
      </ChoiceRow>
      {background.type === 'birth-year' && (
        <div className="flex flex-wrap items-center gap-x-4">
          <label className="flex min-h-11 items-center gap-2 text-sm">
            <span className="font-medium">{t`Tahun lahir`}</span>
            <input
              type="number"
              inputMode="numeric"
              className="input min-h-11 w-24"
              defaultValue={year}
              min={birthYears.min}
              max={birthYears.max}
              onChange={({ target }) => {
                const next = target.valueAsNumber
                if (next >= birthYears.min && next <= birthYears.max)
                  set({ type: 'birth-year', year: Math.round(next), foreigner })
              }}
            />
          </label>
          <span className="text-muted text-xs">
            {t`Latar: ${names[birthYearColour(year, foreigner)]}. Ganjil merah, genap biru, warga asing oranye.`}
          </span>
          <div className="w-full">
            <Switch
              label={t`Warga negara asing`}
              value={foreigner}
              onChange={(checked) => set({ type: 'birth-year', year, foreigner: checked })}
            />
          </div>
        </div>
      )}
    </div>
  )
}
