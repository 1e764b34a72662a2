import { useLingui } from '@lingui/react/macro'
import { Paintbrush, SlidersHorizontal, Trash2, Undo2, WandSparkles } from 'lucide-react'
import {
  ChoiceRow,
  ColorPicker,
  ColorSwatches,
  OptionButton,
  type OptionSection,
  OptionSections,
  optionProps,
  Range,
  Switch,
} from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { useProvidedTasks } from '#tools/ui/tools-query.ts'
import { IconButton } from '#ui/button.tsx'
import { type ColorizerParams, maxSaturation } from '../contract/definition.ts'
import type { HintStage } from './stage-state.ts'

type Props = PanelProps<ColorizerParams, HintStage>

export function ColorizerPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase, stage } = props
  const renews = useProvidedTasks('colorizer')('restorePhoto')
  const percent = Math.round(params.saturation * 100)
  const options: OptionSection = {
    id: 'options',
    label: t`Warna`,
    icon: SlidersHorizontal,
    changed: params.saturation !== 1 || !params.restore || params.scratches || params.full,
    content: (
      <div className="flex flex-col">
        {phase === 'before' && (renews || params.full) && (
          <Switch
            label={t`Warna penuh dari AI`}
            hint={t`AI membuat ulang seluruh foto dengan warna. Di hasil kedua, warnanya ada di piksel asli fotomu. Harganya dua kali.`}
            {...optionProps(props, 'full')}
          />
        )}
        <Range
          label={t`Kepekatan`}
          {...optionProps(props, 'saturation')}
          text={percent > 100 ? `+${percent - 100}` : `${percent - 100}`}
          max={maxSaturation}
        />
        <Switch
          label={t`Pulihkan foto pudar`}
          hint={t`Gelap dan terangnya dikembalikan. Warna kuning foto lama selalu dibersihkan.`}
          {...optionProps(props, 'restore')}
        />
        <Switch
          label={t`Perbaiki goresan`}
          hint={t`Garis tipis bekas lipatan dan goresan diisi dulu.`}
          {...optionProps(props, 'scratches')}
        />
      </div>
    ),
  }
  const hints: OptionSection | null = stage && {
    id: 'hints',
    label: t`Petunjuk warna`,
    icon: Paintbrush,
    content: <Hints stage={stage} />,
    changed: stage.state.hints.length > 0,
  }
  return (
    <OptionSections
      sections={[options, hints]}
      onOpen={(id) => stage?.onChange((now) => ({ ...now, painting: id === 'hints' }))}
    />
  )
}

function Hints({ stage }: { stage: NonNullable<Props['stage']> }) {
  const { t } = useLingui()
  const { painting, selecting, color, hints } = stage.state
  const colors = [
    { color: '#d9a27e', label: t`Kulit terang` },
    { color: '#a8704a', label: t`Kulit sawo` },
    { color: '#2b211c', label: t`Rambut` },
    { color: '#b3262b', label: t`Merah` },
    { color: '#e6b422', label: t`Kuning` },
    { color: '#4f8f4a', label: t`Hijau` },
    { color: '#6fa8dc', label: t`Langit` },
    { color: '#2f4f8f', label: t`Biru` },
    { color: '#7a4f33', label: t`Cokelat` },
    { color: '#7451a8', label: t`Ungu` },
  ]
  const set = (next: string) => stage.onChange((now) => ({ ...now, color: next, painting: true }))
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <OptionButton
        icon={Paintbrush}
        aria-pressed={painting}
        className="max-lg:aria-pressed:hidden"
        onClick={() => stage.onChange((now) => ({ ...now, painting: !painting }))}
      >
        {painting ? t`Selesai menandai` : t`Tandai di foto`}
      </OptionButton>
      <ChoiceRow label={t`Warna petunjuk`} className="gap-0.5 lg:grid-cols-6 lg:gap-y-1">
        <ColorPicker
          label={t`Warna sendiri`}
          caption={t`Warna`}
          checked={!colors.some((known) => known.color === color)}
          color={color}
          onPick={set}
        />
        <ColorSwatches colors={colors} color={color} onPick={(known) => set(known.color)} />
      </ChoiceRow>
      <div className="flex items-center gap-1">
        <p className="min-w-0 flex-1 text-muted text-xs">
          {selecting
            ? t`Pilih warna, lalu ketuk benda di foto.`
            : t`Pilih warna, lalu ketuk atau sapu tempatnya di foto.`}
        </p>
        <IconButton
          icon={WandSparkles}
          label={t`Tandai dengan satu ketukan`}
          title={t`Tandai dengan satu ketukan`}
          className="aria-pressed:bg-soft aria-pressed:text-on-soft"
          aria-pressed={selecting}
          onClick={() => stage.onChange((now) => ({ ...now, selecting: !selecting, painting: true }))}
        />
        <IconButton
          icon={Undo2}
          label={t`Urungkan`}
          disabled={hints.length === 0}
          onClick={() => stage.onChange((now) => ({ ...now, hints: now.hints.slice(0, -1) }))}
        />
        <IconButton
          icon={Trash2}
          label={t`Hapus semua petunjuk`}
          disabled={hints.length === 0}
          onClick={() => stage.onChange((now) => ({ ...now, hints: [] }))}
        />
      </div>
    </div>
  )
}
