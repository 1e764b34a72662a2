import { CorrectionStage } from '#tools/ui/correction-tools.tsx'
import type { StageProps } from '#tools/ui/page.ts'
import { BoxMarker } from '#ui/box-marker.tsx'
import type { SubjectStage } from './stage-state.ts'

export function BackgroundRemovalStage(props: StageProps<SubjectStage>) {
  const { picture, state, onChange } = props
  const { brushing, marking, box, mask } = state
  return (
    <>
      {brushing || mask.history.strokes.length > 0 ? (
        <CorrectionStage {...props} />
      ) : (
        <div className="stage-picture">{picture}</div>
      )}
      {!brushing && (box || marking) && (
        <BoxMarker box={box} marking={marking} onChange={(next) => onChange((now) => ({ ...now, box: next }))} />
      )}
    </>
  )
}
