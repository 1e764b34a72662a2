import { useLingui } from '@lingui/react/macro'
import { useGesture } from '@use-gesture/react'
import { Dices, ImageIcon, Move, Store, Sun, WandSparkles, X } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { AnyLocationId } from '#engine/scenes.ts'
import { readPrompt } from '#engine/tasks/background/index.ts'
import { OptionButton, type OptionSection, OptionSections, optionProps, Range, Switch } from '#tools/ui/controls.tsx'
import { CorrectionStage, useCorrectionSection } from '#tools/ui/correction-tools.tsx'
import { useAddedLocations } from '#tools/ui/locations.ts'
import { useLogoSection } from '#tools/ui/logo-section.tsx'
import type { PanelProps, StageProps } from '#tools/ui/page.ts'
import { PlatformChoice } from '#tools/ui/platform-choice.tsx'
import { useProvidedTasks } from '#tools/ui/tools-query.ts'
import { arrowSteps } from '#ui/geometry.ts'
import { Segmented } from '#ui/segmented.tsx'
import { type BackgroundDiffusionParams, maxPrompt, maxSeed, scaleLimits } from '../contract/definition.ts'
import { SceneChoice, useSceneNames } from './scene-choice.tsx'
import { clampPlacement, type PlacementStage } from './stage-state.ts'

type Props = PanelProps<BackgroundDiffusionParams, PlacementStage>

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
  const placement: OptionSection | null = stage && {
    id: 'place',
    label: t`Letak`,
    icon: Move,
    content: <Placement stage={stage} />,
    changed: stage.state.scale !== 1 || stage.state.x !== 0 || stage.state.y !== 0,
  }
  const light: OptionSection = { id: 'light', label: t`Cahaya`, icon: Sun, content: <Light {...props} /> }
  const ready: OptionSection = {
    id: 'ready',
    label: t`Siap jual`,
    icon: Store,
    content: (
      <PlatformChoice
        label={t`Siap jual`}
        own={[{ value: 'own', caption: t`Asli`, icon: <ImageIcon aria-hidden className="size-5" /> }]}
        {...optionProps(props, 'shape')}
      />
    ),
    changed: params.shape !== 'own',
  }
  const logo = useLogoSection(props)
  const correction = useCorrectionSection(phase === 'after' ? stage : null)
  const variants: OptionSection = { id: 'variants', label: t`Variasi`, icon: Dices, content: <Variants {...props} /> }
  return (
    <OptionSections
      sections={[
        phase === 'before' && scene,
        placement,
        light,
        ready,
        logo,
        correction,
        phase === 'before' && variants,
      ]}
      onOpen={(id) => stage?.onChange((now) => ({ ...now, moving: id === 'place', brushing: id === 'brush' }))}
    />
  )
}

function Scene({ params, onChange }: Props) {
  const { t, i18n } = useLingui()
  const names = useSceneNames()
  const isGenerated = useProvidedTasks('background-diffusion')('background')
  const toldId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [suggested, setSuggested] = useState<readonly AnyLocationId[]>([])
  const { scenes, colours, unknown, unfit, nearest } = readPrompt(params.prompt, useAddedLocations())
  const suggestions = unfit && !isGenerated ? nearest : suggested.some((id) => id === params.scene) ? suggested : []
  const isUnfit = unfit && params.scene === 'auto' && !isGenerated
  const [read, missing] = [[...scenes.slice(0, 2).map((id) => names[id]), ...colours].join(', '), unknown.join(', ')]
  const isAsked = params.prompt.trim() !== '' && params.scene === 'auto'
  const told = isGenerated
    ? t`AI membuat latarnya dari kata-katamu; orang atau bendanya tetap seperti di foto.`
    : !isAsked
      ? t`Latar tempat atau studio, dibuat langsung di server kami.`
      : isUnfit
        ? t`Belum ada. Coba salah satu ini:`
        : missing
          ? t`Belum bisa kami buat: ${missing}. Yang bisa ada di bawah ini.`
          : read
            ? t`Terbaca: ${read}`
            : t`Suasananya tidak kami kenali, jadi ini empat usulan.`
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="relative">
        <input
          ref={field}
          type="text"
          aria-label={t`Suasana yang kamu mau`}
          placeholder={t`Misalnya: lobi hotel yang hangat`}
          className="input w-full pr-12"
          maxLength={maxPrompt}
          value={params.prompt}
          onChange={({ target }) => onChange({ prompt: target.value, scene: 'auto' })}
        />
        {params.prompt !== '' && (
          <button
            type="button"
            aria-label={t`Hapus tulisan`}
            className="absolute inset-y-0 right-0 z-1 grid w-11 cursor-pointer place-items-center rounded-field text-muted"
            onClick={() => {
              onChange({ prompt: '', scene: 'auto' })
              field.current?.focus()
            }}
          >
            <X aria-hidden className="size-5" />
          </button>
        )}
      </div>
      <p
        id={toldId}
        role="status"
        className={`min-h-4 text-xs ${isAsked ? '' : 'studio-aside'} ${(missing || isUnfit) && !isGenerated ? 'font-medium text-base-content' : 'text-muted'}`}
        lang={i18n.locale}
      >
        {told}
      </p>
      <SceneChoice
        chosen={params.scene}
        nearest={suggestions}
        describedBy={toldId}
        onChoose={(scene) => {
          // Words for another place would contradict the choice; a provider paints them into it.
          const isOther = scene !== 'auto' && (unfit || scenes.length > 0) && !scenes.some((id) => id === scene)
          setSuggested(suggestions)
          onChange(isOther && !isGenerated ? { scene, prompt: '' } : { scene })
        }}
      />
    </div>
  )
}

function Placement({ stage }: { stage: NonNullable<Props['stage']> }) {
  const { t } = useLingui()
  const { moving, scale, x, y } = stage.state
  return (
    <div className="flex flex-col gap-1">
      <OptionButton
        icon={Move}
        aria-pressed={moving}
        className="max-lg:aria-pressed:hidden"
        onClick={() => stage.onChange((now) => ({ ...now, moving: !moving, brushing: false }))}
      >
        {moving ? t`Selesai menggeser` : t`Geser di foto`}
      </OptionButton>
      <Range
        label={t`Ukuran`}
        value={scale}
        {...scaleLimits}
        onChange={(next) => stage.onChange((now) => clampPlacement({ ...now, scale: next }))}
      />
      <OptionButton
        icon={ImageIcon}
        disabled={scale === 1 && x === 0 && y === 0}
        onClick={() => stage.onChange((now) => ({ ...now, scale: 1, x: 0, y: 0 }))}
      >
        {t`Seperti di foto asli`}
      </OptionButton>
    </div>
  )
}

function Light(props: Props) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-1">
      <Segmented
        label={t`Arah cahaya`}
        {...optionProps(props, 'light')}
        choices={{ auto: t`Otomatis`, left: t`Kiri`, front: t`Depan`, right: t`Kanan` }}
      />
      <Range label={t`Samakan warna`} {...optionProps(props, 'match')} step={10} />
      <Switch label={t`Bayangan`} {...optionProps(props, 'shadow')} />
    </div>
  )
}

function Variants({ params, onChange }: Props) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-2">
      <label className="flex min-h-11 items-center justify-between gap-3 font-medium text-sm">
        {t`Nomor variasi pertama`}
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
      <OptionButton icon={Dices} onClick={() => onChange({ seed: ((params.seed + 3) % maxSeed) + 1 })}>
        {t`Empat variasi lain`}
      </OptionButton>
      <p className="text-muted text-xs">{t`Nomor yang sama memberi latar yang sama. Satu harga untuk keempatnya.`}</p>
    </div>
  )
}

export function BackgroundDiffusionStage(props: StageProps<PlacementStage, BackgroundDiffusionParams>) {
  const { state, picture, pictureUrl } = props
  if (!state.brushing) return <PlacementCanvas {...props} />
  const isMoved = state.scale !== 1 || state.x !== 0 || state.y !== 0
  // A moved subject is corrected where the photograph has it.
  return <CorrectionStage {...props} picture={isMoved && pictureUrl ? <img src={pictureUrl} alt="" /> : picture} />
}

/** Moves the photograph before the start, its frame on a result. Keys: arrows, + and −. */
function PlacementCanvas({ picture, choice, state, onChange }: StageProps<PlacementStage, BackgroundDiffusionParams>) {
  const { t } = useLingui()
  const area = useRef<HTMLDivElement>(null)
  const finished = choice === null
  const move = (x: number, y: number, scale = state.scale) => onChange((now) => clampPlacement({ ...now, x, y, scale }))
  const gestures = useGesture(
    {
      onDrag: ({ first, movement: [dx, dy], pinching, cancel, memo }) => {
        if (pinching) {
          cancel()
          return memo
        }
        const start = first || !memo ? { x: state.x, y: state.y } : memo
        const { clientWidth = 1, clientHeight = 1 } = area.current ?? {}
        move(start.x + dx / clientWidth, start.y + dy / clientHeight)
        return start
      },
      onPinch: ({ first, movement: [factor], memo }) => {
        const start = first || !memo ? state.scale : memo
        move(state.x, state.y, start * factor)
        return start
      },
      onWheel: ({ event, delta: [, y] }) => {
        if (!event.ctrlKey) move(state.x, state.y, state.scale * Math.exp(-y * 0.0015))
      },
    },
    { drag: { pointer: { capture: true, keys: false } } },
  )

  function onKeyDown(event: KeyboardEvent) {
    const arrow = arrowSteps[event.key]
    if (arrow) move(state.x + 0.02 * arrow[0], state.y + 0.02 * arrow[1])
    else if (event.key === '+' || event.key === '=') move(state.x, state.y, state.scale * 1.08)
    else if (event.key === '-') move(state.x, state.y, state.scale / 1.08)
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={area}
      {...gestures()}
      role="application"
      aria-label={t`Panah menggeser, tambah dan kurang mengubah ukuran`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the element is moved with keys
      tabIndex={0}
      className="absolute inset-0 cursor-grab touch-none checker overflow-hidden rounded-lg"
      onKeyDown={onKeyDown}
    >
      {finished && <div className="absolute inset-0 *:pointer-events-none *:size-full">{picture}</div>}
      <div
        className="absolute inset-0 origin-bottom outline-2 outline-primary -outline-offset-1 outline-dashed *:pointer-events-none *:size-full"
        style={{ transform: `translate(${100 * state.x}%, ${100 * state.y}%) scale(${state.scale})` }}
      >
        {!finished && picture}
      </div>
    </div>
  )
}
