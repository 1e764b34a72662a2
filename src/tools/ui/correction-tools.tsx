import { useLingui } from '@lingui/react/macro'
import { Brush } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { MaskCanvas } from '#ui/mask-editor/mask-canvas.tsx'
import { MaskTools } from '#ui/mask-editor/mask-tools.tsx'
import { OptionButton, type OptionSection } from './controls.tsx'
import type { Correction } from './correction.ts'
import type { PanelProps, StageProps } from './page.ts'
import { useServerSelection } from './tools-query.ts'

type Stage<State extends Correction> = NonNullable<PanelProps<unknown, State>['stage']>

/** Null where nothing can be drawn on. */
export function useCorrectionSection<State extends Correction>(stage: Stage<State> | null): OptionSection | null {
  const { t } = useLingui()
  return (
    stage && {
      id: 'brush',
      label: t`Koreksi`,
      icon: Brush,
      content: <CorrectionTools stage={stage} />,
      changed: stage.state.mask.history.strokes.length > 0,
    }
  )
}

/** For `OptionSections`: on phones the brush is active while its section is open. */
export const brushIn =
  <State extends Correction>(stage: Stage<State> | null) =>
  (section: string) =>
    stage?.onChange((now) => ({ ...now, brushing: section === 'brush' }))

function CorrectionTools<State extends Correction>({ stage }: { stage: Stage<State> }) {
  const { t } = useLingui()
  const { brushing, mask } = stage.state
  const tools = useRef<HTMLDivElement>(null)
  const toggle = () => {
    flushSync(() => stage.onChange((now) => ({ ...now, brushing: !brushing })))
    // The tools appear below the button, which may be the last visible element.
    tools.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div ref={tools} className="grid gap-2">
      <OptionButton icon={Brush} aria-pressed={brushing} className="max-lg:aria-pressed:hidden" onClick={toggle}>
        {brushing ? t`Selesai mengoreksi` : t`Koreksi dengan kuas`}
      </OptionButton>
      {brushing && (
        <MaskTools
          state={mask}
          labels={{ keep: t`Pertahankan`, erase: t`Buang` }}
          onChange={(change) => stage.onChange((now) => ({ ...now, mask: change(now.mask) }))}
        />
      )}
    </div>
  )
}

export function CorrectionStage<State extends Correction>({
  state,
  onChange,
  picture,
  pictureUrl,
  size,
  view,
}: Pick<StageProps<State>, 'state' | 'onChange' | 'picture' | 'pictureUrl' | 'size' | 'view'>) {
  return (
    <MaskCanvas
      picture={picture}
      pictureUrl={pictureUrl}
      size={size}
      view={view}
      state={state.mask}
      paint="seeds"
      disabled={!state.brushing}
      selectsOnServer={useServerSelection()}
      onChange={(change) => onChange((now) => ({ ...now, mask: change(now.mask) }))}
    />
  )
}
