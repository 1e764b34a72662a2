import { MaskCanvas } from '#app/ui/mask-editor/mask-canvas.tsx'
import type { MaskState } from '#app/ui/mask-editor/mask-state.ts'
import type { StageProps } from '#tools/ui/page.ts'

/** Brush and eraser over the picture. */
export function ObjectRemovalStage(props: StageProps<MaskState>) {
  return <MaskCanvas {...props} />
}
