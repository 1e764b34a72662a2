import { useLingui } from '@lingui/react/macro'
import { PencilLine, Plus, RotateCcw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { formatNumber } from '#app/format.ts'
import { type MaskState, newMaskState } from '#app/ui/mask-editor/mask-state.ts'
import { Switch } from '#tools/controls.tsx'
import { useObjectUrl } from '#tools/object-url.ts'
import type { AnyToolPage } from '#tools/page.ts'
import { sendSize } from '../picture.ts'
import { InputZones, ManyPictures } from './input-zones.tsx'
import { askedInputs, drawnInput, mainInput, maxFiles } from './inputs.ts'
import { Options } from './options.tsx'
import { PictureFrame } from './picture-frame.tsx'
import { StartButton } from './start-button.tsx'
import { StudioLayout } from './studio-layout.tsx'
import type { StudioChange, StudioState } from './studio-state.ts'

const MaskCanvas = lazy(async () => ({ default: (await import('#app/ui/mask-editor/mask-canvas.tsx')).MaskCanvas }))
const MaskTools = lazy(async () => ({ default: (await import('#app/ui/mask-editor/mask-tools.tsx')).MaskTools }))

/** Chosen pictures with the tool's options, before the run. */
export function Editor({
  page,
  state,
  busy,
  onChange,
  onAdd,
  onStartAgain,
  onStart,
  onSignUp,
  onTopUp,
}: {
  page: AnyToolPage
  state: StudioState
  busy: boolean
  onChange: (change: StudioChange) => void
  /** Asks for further files, for one input or for whichever has space. */
  onAdd: (input?: string) => void
  onStartAgain: () => void
  onStart: (price: number) => void
  onSignUp: () => void
  onTopUp: () => void
}) {
  const { t, i18n } = useLingui()
  const { facts } = page
  const [drawing, setDrawing] = useState(false)
  const main = mainInput(facts)
  const pictures = state.inputs[main] ?? []
  const first = pictures[0]
  const several = askedInputs(page).length > 1 || (maxFiles(facts, main) > 1 && !facts.batch)
  const single = first && (pictures.length === 1 || !facts.batch) ? first : undefined
  const size = single?.size ?? null
  const url = useObjectUrl(single?.original)

  const stage = size ? page.stage : undefined
  const stageState = stage && size ? (state.stage ?? stage.from(state.params, size)) : null
  const changeStage = (change: (now: unknown) => unknown) =>
    onChange((now) => ({ stage: change(now.stage ?? stageState) }))
  const drawn = size && !page.stage ? drawnInput(facts) : undefined
  const mask = state.mask ?? newMaskState()
  const changeMask = (change: (now: MaskState) => MaskState) =>
    onChange((now) => ({ mask: change(now.mask ?? newMaskState()) }))

  const picture = url && <img src={url} alt={t`Foto yang kamu pilih`} draggable={false} />
  const Stage = stage?.active(stageState, 'before') ? stage.component : null
  function stageArea() {
    if (size && ((drawn && drawing) || Stage)) {
      return (
        <PictureFrame url={null} size={size} alt="">
          <Suspense fallback={null}>
            {Stage ? (
              <Stage picture={picture} pictureUrl={url} size={size} state={stageState} onChange={changeStage} />
            ) : (
              <MaskCanvas picture={picture} pictureUrl={url} size={size} state={mask} onChange={changeMask} />
            )}
          </Suspense>
        </PictureFrame>
      )
    }
    const remove = (name: string, id: string) =>
      onChange((now) => ({
        inputs: { ...now.inputs, [name]: (now.inputs[name] ?? []).filter((chosen) => chosen.id !== id) },
        ...(name === main && { stage: null, mask: null }),
      }))
    if (several) return <InputZones page={page} state={state} onAdd={onAdd} onRemove={remove} />
    if (single) return <PictureFrame url={url} size={single.size} alt={t`Foto yang kamu pilih`} />
    return <ManyPictures pictures={pictures} onRemove={(id) => remove(main, id)} />
  }

  return (
    <StudioLayout
      heading={i18n._(facts.label)}
      actions={
        <>
          {!several && pictures.length < maxFiles(facts, main) && (
            <button type="button" className="btn btn-ghost px-3" onClick={() => onAdd(main)}>
              <Plus aria-hidden className="size-5" />
              <span className="max-sm:sr-only">{t`Tambah foto`}</span>
            </button>
          )}
          <button type="button" className="btn btn-ghost px-3" onClick={onStartAgain}>
            <RotateCcw aria-hidden className="size-5" />
            <span className="max-sm:sr-only">{t`Ganti foto`}</span>
          </button>
        </>
      }
      stage={stageArea()}
    >
      {drawn && (
        <button
          type="button"
          aria-pressed={drawing}
          className="btn btn-ghost justify-start gap-2 font-medium aria-pressed:bg-soft"
          onClick={() => setDrawing(!drawing)}
        >
          <PencilLine aria-hidden className="size-5" />
          {drawing ? t`Selesai menandai` : t`Tandai bagian foto`}
        </button>
      )}
      {drawn && drawing && (
        <Suspense fallback={null}>
          <MaskTools state={mask} onChange={changeMask} />
        </Suspense>
      )}
      <Options
        page={page}
        state={state}
        onChange={onChange}
        stage={stage ? { state: stageState, onChange: changeStage } : null}
      />
      <ShrinkNote state={state} onChange={(shrink) => onChange({ shrink })} />
      <StartButton page={page} state={state} busy={busy} onStart={onStart} onSignUp={onSignUp} onTopUp={onTopUp} />
    </StudioLayout>
  )
}

/** Says that large pictures are sent smaller, and lets people decide otherwise. */
function ShrinkNote({ state, onChange }: { state: StudioState; onChange: (shrink: boolean) => void }) {
  const { t } = useLingui()
  const large = Object.values(state.inputs)
    .flat()
    .find(({ size }) => size && sendSize(size).width < size.width)
  if (!large?.size) return null
  const { width, height } = sendSize(large.size)
  const shown = `${formatNumber(width)} × ${formatNumber(height)}`
  return (
    <Switch
      label={t`Kecilkan sebelum dikirim`}
      hint={state.shrink ? t`Jadi ${shown} piksel, supaya hemat kuota.` : t`Dikirim dengan ukuran asli.`}
      checked={state.shrink}
      onChange={onChange}
    />
  )
}
