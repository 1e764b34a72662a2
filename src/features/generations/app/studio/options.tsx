import { Suspense } from 'react'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { AnyToolPanel, PanelProps } from '#tools/panel.ts'
import { takeFurtherPicture } from '../further-picture.ts'
import type { StudioChange, StudioState } from './studio-state.ts'

/** The tool's own options, before the run. */
export function Options({
  panel,
  state,
  onChange,
  area,
}: {
  panel: AnyToolPanel
  state: StudioState
  onChange: (change: StudioChange) => void
  area: PanelProps<unknown>['area']
}) {
  const Panel = panel.panel
  return (
    <Suspense fallback={<Skeleton className="h-39 lg:h-80" />}>
      <Panel
        stage="before"
        params={state.params}
        onChange={(change) => onChange((now) => ({ params: { ...now.params, ...change } }))}
        files={state.files}
        onFile={(name, file) =>
          takeFurtherPicture(file, (taken) => onChange((now) => ({ files: { ...now.files, [name]: taken } })))
        }
        area={area}
      />
    </Suspense>
  )
}
