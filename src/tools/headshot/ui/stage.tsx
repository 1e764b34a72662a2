import { useLingui } from '@lingui/react/macro'
import { CorrectionStage } from '#tools/ui/correction-tools.tsx'
import type { StageProps } from '#tools/ui/page.ts'
import { FacePicker } from '#ui/face-picker/face-picker.tsx'
import { type HeadshotParams, maxFaces } from '../contract/definition.ts'
import type { HeadshotState } from './stage-state.ts'

export function HeadshotStage(props: StageProps<HeadshotState, HeadshotParams>) {
  const { t } = useLingui()
  const { picture, size, files, state, onChange, params, check } = props
  if (state.brushing) return <CorrectionStage {...props} />
  const faces = check?.faces ?? []
  return (
    <div className="absolute inset-0 [&>img]:size-full [&>img]:object-contain">
      {picture}
      {params.mode === 'each' && faces.length > 1 && (
        <FacePicker
          faces={faces}
          size={files.picture?.[0]?.size ?? size}
          picked={state.picked ?? []}
          max={maxFaces}
          label={t`Wajah yang dibuatkan headshot`}
          onPick={(next) => next.length > 0 && onChange((now) => ({ ...now, picked: next }))}
        />
      )}
    </div>
  )
}
