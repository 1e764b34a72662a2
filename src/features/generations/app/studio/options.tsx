import { Suspense } from 'react'
import type { CheckView } from '#tools/contract/views.ts'
import type { AnyToolPage, PanelProps } from '#tools/ui/page.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { chooseInputFile } from '../input-file.ts'
import type { StudioChange, StudioState } from './studio-state.ts'
import { countFiles } from './tool-files.ts'

/** The tool's own options, before the run. */
export function Options({
  page,
  state,
  onChange,
  stage,
  inspection = null,
}: {
  page: AnyToolPage
  state: StudioState
  onChange: (change: StudioChange) => void
  stage: PanelProps<unknown>['stage']
  inspection?: CheckView | null
}) {
  const Panel = page.panel
  return (
    <Suspense fallback={<Skeleton className="h-39 lg:h-80" />}>
      <Panel
        phase="before"
        params={state.params}
        onChange={(change) => onChange((now) => ({ params: { ...now.params, ...change } }))}
        files={Object.fromEntries(
          Object.entries(state.inputs).map(([name, pictures]) => [name, pictures.map(({ original }) => original)]),
        )}
        counts={countFiles(state.inputs)}
        onFile={async (name, file) => {
          const chosen = await chooseInputFile(file)
          if (chosen) onChange((now) => ({ inputs: { ...now.inputs, [name]: [chosen] } }))
          return chosen !== null
        }}
        stage={stage}
        inspection={inspection}
        facts={inspection?.facts ?? {}}
      />
    </Suspense>
  )
}
