import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Check, Monitor, Moon, Sun } from 'lucide-react'
import { type Mode, modes, themeAtom } from '#client/theme.ts'
import { Segmented } from '#ui/segmented.tsx'
import { chooseTheme } from './appearance.ts'
import { neutrals, primaries } from './palette.ts'

const modeIcons = { light: Sun, dark: Moon, auto: Monitor }

function Swatches({
  name,
  legend,
  choices,
  chosen,
  tick,
  onChoose,
}: {
  name: string
  legend: string
  choices: readonly { id: string; name: MessageDescriptor; swatch: string }[]
  chosen: string
  /** Colour of the tick, readable on every swatch of the row. */
  tick: string
  onChoose: (id: string) => void
}) {
  const { i18n } = useLingui()
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-semibold text-sm">{legend}</legend>
      <div className="flex flex-wrap gap-1">
        {choices.map((choice) => (
          <label key={choice.id} className="grid size-11 cursor-pointer place-items-center" title={i18n._(choice.name)}>
            <input
              type="radio"
              name={name}
              className="peer sr-only"
              checked={chosen === choice.id}
              onChange={() => onChoose(choice.id)}
            />
            <span className="sr-only">{i18n._(choice.name)}</span>
            <span
              aria-hidden="true"
              className="grid size-8 place-items-center rounded-full border border-base-content/20 ring-base-content ring-offset-2 ring-offset-base-100 peer-checked:ring-2 peer-focus-visible:outline-3 peer-focus-visible:outline-offset-4"
              style={{ backgroundColor: choice.swatch }}
            >
              {chosen === choice.id && <Check className={`size-4 ${tick}`} />}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Light or dark, the accent and the neutrals; takes effect at once. */
export function ThemePicker() {
  const { t } = useLingui()
  const theme = useAtomValue(themeAtom)
  const modeNames: Record<Mode, string> = { light: t`Terang`, dark: t`Gelap`, auto: t`Otomatis` }
  return (
    <div className="grid gap-6">
      <Segmented
        label={t`Mode`}
        labelShown
        choices={modes.map((mode) => ({ value: mode, label: modeNames[mode], icon: modeIcons[mode] }))}
        value={theme.mode}
        onChange={(mode) => chooseTheme({ mode })}
      />
      <Swatches
        name="primary"
        legend={t`Warna utama`}
        choices={primaries}
        chosen={theme.primary}
        tick="text-white"
        onChoose={(primary) => chooseTheme({ primary })}
      />
      <Swatches
        name="neutral"
        legend={t`Warna dasar`}
        choices={neutrals}
        chosen={theme.neutral}
        tick="text-black"
        onChoose={(neutral) => chooseTheme({ neutral })}
      />
    </div>
  )
}
