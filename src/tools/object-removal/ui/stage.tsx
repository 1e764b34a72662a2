import type { StageProps } from '#tools/ui/page.ts'
import { useServerSelection } from '#tools/ui/use-server-selection.ts'
import { MaskCanvas } from '#ui/mask-editor/mask-canvas.tsx'
import type { MaskState } from '#ui/mask-editor/mask-state.ts'

export function ObjectRemovalStage(props: StageProps<MaskState>) {
  return <MaskCanvas {...props} selectsOnServer={useServerSelection()} />
}
