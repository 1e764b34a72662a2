import type { StageProps } from '#tools/ui/page.ts'
import { BoxMarker } from '#ui/box-marker.tsx'
import { MaskCanvas } from '#ui/mask-editor/mask-canvas.tsx'
import type { SubjectStage } from './stage-state.ts'

/** The box around the subject, and strokes of what stays and what goes. */
export function BackgroundRemovalStage({ picture, pictureUrl, size, state, onChange }: StageProps<SubjectStage>) {
  const { mode, box, mask } = state
  const brushing = mode === 'brush'
  return (
    <>
      {brushing || mask.history.strokes.length > 0 ? (
        <MaskCanvas
          picture={picture}
          pictureUrl={pictureUrl}
          size={size}
          state={mask}
          paint="seeds"
          disabled={!brushing}
          onChange={(change) => onChange((now) => ({ ...now, mask: change(now.mask) }))}
        />
      ) : (
        <div className="stage-picture">{picture}</div>
      )}
      {!brushing && (box || mode === 'box') && (
        <BoxMarker box={box} marking={mode === 'box'} onChange={(next) => onChange((now) => ({ ...now, box: next }))} />
      )}
    </>
  )
}
