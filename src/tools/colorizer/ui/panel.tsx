import { useLingui } from '@lingui/react/macro'
import { Paintbrush, SlidersHorizontal, Trash2, Undo2, WandSparkles } from 'lucide-react'
import { ColorPicker, type OptionSection, OptionSections, Range, Swatch, Switch } from '#tools/ui/controls.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { useOthers } from '#tools/ui/use-others.ts'
import { IconButton } from '#ui/button.tsx'
import { type ColorizerParams, maxSaturation } from '../contract/definition.ts'
import type { HintStage } from './stage-state.ts'

type Props = PanelProps<ColorizerParams, HintStage>

/** Options of the colorizer: hints on the picture, then how strong the colours are. */
export function ColorizerPanel(props: Props) {
  const { t } = useLingui()
  const { params, onChange, phase, stage } = props
  const renews = useOthers('colorizer')('restorePhoto')
  const percent = Math.round(params.saturation * 100)
  const options: OptionSection = {
    id: 'options',
    label: t`Pilihan`,
    icon: SlidersHorizontal,
    changed: params.saturation !== 1 || !params.restore || params.scratches || params.full,
    content: (
      <div className="flex flex-col">
        {phase === 'before' && (renews || params.full) && (
          <Switch
            label={t`Warna penuh dari AI`}
            hint={t`AI membuat ulang seluruh foto dengan warna. Di hasil kedua, warnanya ada di piksel asli fotomu. Harganya dua kali.`}
            checked={params.full}
            onChange={(full) => onChange({ full })}
          />
        )}
        <Range
          label={t`Kepekatan`}
          value={percent}
          text={percent > 100 ? `+${percent - 100}` : `${percent - 100}`}
          min={0}
          max={100 * maxSaturation}
          step={5}
          onChange={(value) => onChange({ saturation: value / 100 })}
        />
        <Switch
          label={t`Pulihkan foto pudar`}
          hint={t`Gelap dan terangnya dikembalikan. Warna kuning foto lama selalu dibersihkan.`}
          checked={params.restore}
          onChange={(restore) => onChange({ restore })}
        />
        <Switch
          label={t`Perbaiki goresan`}
          hint={t`Garis tipis bekas lipatan dan goresan diisi dulu.`}
          checked={params.scratches}
          onChange={(scratches) => onChange({ scratches })}
        />
      </div>
    ),
  }
  const hints: OptionSection[] = stage
    ? [
        {
          id: 'hints',
          label: t`Petunjuk warna`,
          icon: Paintbrush,
          content: <Hints stage={stage} />,
          changed: stage.state.hints.length > 0,
        },
      ]
    : []
  return (
    <OptionSections
      sections={[options, ...hints]}
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
      <button
        type="button"
        aria-pressed={painting}
        className="btn btn-ghost btn-sm min-h-11! justify-start gap-2 aria-pressed:bg-soft max-lg:aria-pressed:hidden"
        onClick={() => stage.onChange((now) => ({ ...now, painting: !painting }))}
      >
        <Paintbrush aria-hidden className="size-5" />
        {painting ? t`Selesai menandai` : t`Tandai di foto`}
      </button>
      <fieldset
        aria-label={t`Warna petunjuk`}
        className="-mx-5 flex min-w-0 gap-0.5 overflow-x-auto px-5 py-1 [scrollbar-width:none] lg:mx-0 lg:grid lg:grid-cols-6 lg:gap-y-1 lg:overflow-visible lg:px-0"
      >
        <ColorPicker
          label={t`Warna sendiri`}
          caption={t`Warna`}
          checked={!colors.some((known) => known.color === color)}
          color={color}
          onPick={set}
        />
        {colors.map((known) => (
          <Swatch
            key={known.color}
            caption={known.label}
            color={known.color}
            checked={color === known.color}
            onSelect={() => set(known.color)}
          />
        ))}
      </fieldset>
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
