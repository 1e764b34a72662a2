import { useLingui } from '@lingui/react/macro'
import { Dices, ImageIcon, Move, Store, Sun, WandSparkles } from 'lucide-react'
import { readPrompt } from '#engine/tasks/background/index.ts'
import { type OptionSection, OptionSections, Range, Switch } from '#tools/ui/controls.tsx'
import { useLogoSection } from '#tools/ui/logo-section.tsx'
import type { PanelProps } from '#tools/ui/page.ts'
import { PlatformChoice } from '#tools/ui/platform-choice.tsx'
import { useOthers } from '#tools/ui/use-others.ts'
import { Segmented } from '#ui/segmented.tsx'
import { type BackgroundDiffusionParams, maxPrompt, maxSeed, scaleLimits } from '../contract/definition.ts'
import { SceneChoice, useSceneNames } from './scene-choice.tsx'
import { type PlacementStage, placed } from './stage-state.ts'

type Props = PanelProps<BackgroundDiffusionParams, PlacementStage>

/**
 * Options of the background tool: what the new background shows, then how the subject stands in it.
 */
export function BackgroundDiffusionPanel(props: Props) {
  const { t } = useLingui()
  const { params, phase, stage } = props
  const scene: OptionSection = {
    id: 'scene',
    label: t`Suasana`,
    icon: WandSparkles,
    content: <Scene {...props} />,
    changed: params.scene !== 'auto' || params.prompt.trim() !== '',
  }
  const placement: OptionSection[] = stage
    ? [
        {
          id: 'place',
          label: t`Letak`,
          icon: Move,
          content: <Placement stage={stage} />,
          changed: stage.state.scale !== 1 || stage.state.x !== 0 || stage.state.y !== 0,
        },
      ]
    : []
  const light: OptionSection = { id: 'light', label: t`Cahaya`, icon: Sun, content: <Light {...props} /> }
  const ready: OptionSection = {
    id: 'ready',
    label: t`Siap jual`,
    icon: Store,
    content: (
      <PlatformChoice
        label={t`Siap jual`}
        own={[{ value: 'own', caption: t`Asli`, icon: <ImageIcon aria-hidden className="size-5" /> }]}
        value={params.shape}
        onChange={(shape) => props.onChange({ shape })}
      />
    ),
    changed: params.shape !== 'own',
  }
  const logo = useLogoSection(props)
  const variants: OptionSection = { id: 'variants', label: t`Variasi`, icon: Dices, content: <Variants {...props} /> }
  return (
    <OptionSections
      sections={
        phase === 'before' ? [scene, ...placement, light, ready, logo, variants] : [...placement, light, ready, logo]
      }
      onOpen={(id) => stage?.onChange((now) => ({ ...now, moving: id === 'place' }))}
    />
  )
}

function Scene({ params, onChange }: Props) {
  const { t, i18n } = useLingui()
  const names = useSceneNames()
  const isGenerated = useOthers('background-diffusion')('background')
  const { scenes, unknown } = readPrompt(params.prompt)
  const [read, missing] = [
    scenes
      .slice(0, 2)
      .map((id) => names[id])
      .join(', '),
    unknown.join(', '),
  ]
  const told = isGenerated
    ? t`AI membuat latarnya dari kata-katamu, orang atau bendanya tetap piksel aslinya.`
    : params.prompt.trim() === '' || (params.scene !== 'auto' && !missing)
      ? t`Latar studio dibuat langsung di server kami.`
      : missing
        ? t`Belum bisa kami buat: ${missing}. Yang bisa ada di bawah ini.`
        : read
          ? t`Terbaca: ${read}`
          : t`Suasananya belum disebut. Yang bisa ada di bawah ini.`
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <input
        type="text"
        aria-label={t`Suasana yang kamu mau`}
        placeholder={t`Misalnya: kafe hangat di sore hari`}
        className="input min-h-11 w-full"
        maxLength={maxPrompt}
        value={params.prompt}
        onChange={({ target }) => onChange({ prompt: target.value, scene: 'auto' })}
      />
      <p
        role="status"
        className={`min-h-4 text-xs ${missing && !isGenerated ? 'font-medium text-base-content' : 'text-muted'}`}
        lang={i18n.locale}
      >
        {told}
      </p>
      <SceneChoice chosen={params.scene} onChoose={(scene) => onChange({ scene })} />
    </div>
  )
}

function Placement({ stage }: { stage: NonNullable<Props['stage']> }) {
  const { t } = useLingui()
  const { moving, scale, x, y } = stage.state
  const percent = Math.round(scale * 100)
  return (
    <div className="flex flex-col gap-1">
      <button
        type="button"
        aria-pressed={moving}
        className="btn btn-ghost btn-sm min-h-11! justify-start gap-2 aria-pressed:bg-soft max-lg:aria-pressed:hidden"
        onClick={() => stage.onChange((now) => ({ ...now, moving: !moving }))}
      >
        <Move aria-hidden className="size-5" />
        {moving ? t`Selesai menggeser` : t`Geser di foto`}
      </button>
      <Range
        label={t`Ukuran`}
        value={percent}
        text={`${percent}%`}
        min={100 * scaleLimits.min}
        max={100 * scaleLimits.max}
        step={5}
        onChange={(value) => stage.onChange((now) => placed({ ...now, scale: value / 100 }))}
      />
      <button
        type="button"
        className="btn btn-ghost btn-sm min-h-11! justify-start gap-2"
        disabled={scale === 1 && x === 0 && y === 0}
        onClick={() => stage.onChange((now) => ({ ...now, scale: 1, x: 0, y: 0 }))}
      >
        <ImageIcon aria-hidden className="size-5" />
        {t`Seperti di foto asli`}
      </button>
    </div>
  )
}

function Light({ params, onChange }: Props) {
  const { t } = useLingui()
  const percent = Math.round(params.match * 100)
  return (
    <div className="flex flex-col gap-1">
      <Segmented
        label={t`Arah cahaya`}
        value={params.light}
        onChange={(light) => onChange({ light })}
        choices={[
          { value: 'auto', label: t`Otomatis` },
          { value: 'left', label: t`Kiri` },
          { value: 'front', label: t`Depan` },
          { value: 'right', label: t`Kanan` },
        ]}
      />
      <Range
        label={t`Samakan warna`}
        value={percent}
        text={`${percent}%`}
        min={0}
        max={100}
        step={10}
        onChange={(value) => onChange({ match: value / 100 })}
      />
      <Switch label={t`Bayangan`} checked={params.shadow} onChange={(shadow) => onChange({ shadow })} />
    </div>
  )
}

function Variants({ params, onChange }: Props) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-2">
      <label className="flex min-h-11 items-center justify-between gap-3 font-medium text-sm">
        {t`Nomor benih pertama`}
        <input
          type="number"
          inputMode="numeric"
          className="input w-28 tabular-nums"
          min={1}
          max={maxSeed}
          value={params.seed}
          onChange={({ target }) => {
            const seed = Math.round(target.valueAsNumber)
            if (seed >= 1 && seed <= maxSeed) onChange({ seed })
          }}
        />
      </label>
      <button
        type="button"
        className="btn btn-ghost btn-sm min-h-11! justify-start gap-2"
        onClick={() => onChange({ seed: ((params.seed + 3) % maxSeed) + 1 })}
      >
        <Dices aria-hidden className="size-5" />
        {t`Empat variasi lain`}
      </button>
      <p className="text-muted text-xs">{t`Benih yang sama memberi latar yang sama. Satu harga untuk keempatnya.`}</p>
    </div>
  )
}
