import { useLingui } from '@lingui/react/macro'
import type { Correction } from '#tools/ui/correction.ts'
import { CorrectionStage } from '#tools/ui/correction-tools.tsx'
import type { StageProps } from '#tools/ui/page.ts'
import { FacePicker } from '#ui/face-picker/face-picker.tsx'
import type { FaceCutoutParams } from '../contract/definition.ts'

export function FaceCutoutStage(props: StageProps<Correction, FaceCutoutParams>) {
  const { t } = useLingui()
  const { picture, params, onParams, files, size, check } = props
  if (props.state.brushing) return <CorrectionStage {...props} />
  const faces = check?.faces ?? []
  const all = faces.map((_, index) => index)
  const known = params.picked.filter((index) => index < faces.length)
  const picked = known.length > 0 ? known : all
  return (
    <>
      <div className="stage-picture">{picture}</div>
      {faces.length > 1 && (
        <FacePicker
          faces={faces}
          size={files.picture?.[0]?.size ?? size}
          picked={picked}
          onPick={(next) => onParams({ picked: next.length === faces.length ? [] : next })}
          label={t`Wajah yang dipotong`}
        />
      )}
    </>
  )
}
