import { type ReactNode, Suspense } from 'react'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { PictureFrame } from './picture-frame.tsx'
import type { StudioState } from './studio-state.ts'
import { useInspection } from './use-inspection.ts'
import { useToolStage } from './use-tool-stage.ts'

const noChoice = { add: () => undefined, remove: () => undefined, move: () => undefined }

interface ArrangedPictureProps {
  page: AnyToolPage
  state: StudioState
  /** Lies over the page. */
  children: ReactNode
  /** For tools that arrange nothing. */
  otherwise: ReactNode
}

/** A page arranged from several pictures as it was sent, while it waits. */
export function ArrangedPicture(props: ArrangedPictureProps) {
  return props.page.stage?.frame ? <Arranged {...props} /> : props.otherwise
}

function Arranged({ page, state, children, otherwise }: ArrangedPictureProps) {
  const inspection = useInspection(page, state).view
  const stage = useToolStage(page, state, { inspection, choice: noChoice, onChange: () => undefined })
  if (!stage?.active) return otherwise
  const Stage = stage.component
  return (
    <PictureFrame url={null} size={stage.frame} alt="">
      <div inert className="absolute inset-0">
        <Suspense fallback={null}>
          <Stage {...stage.props} picture={null} pictureUrl={null} />
        </Suspense>
      </div>
      {children}
    </PictureFrame>
  )
}
