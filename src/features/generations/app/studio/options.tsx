import { useLingui } from '@lingui/react/macro'
import { Suspense } from 'react'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import type { PanelProps } from '#tools/ui/page.ts'
import { useTool } from '#tools/ui/tools-query.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { chooseInputFile } from '../input-file.ts'
import { countFiles } from './inputs.ts'
import type { StudioProps } from './use-studio.ts'

export function Options({
  page,
  state,
  dispatch,
  stage,
  check = null,
}: StudioProps & { stage: PanelProps<unknown>['stage']; check?: PhotoCheckView | null }) {
  const { t } = useLingui()
  const Panel = page.panel
  const { id, mark } = page.definition
  const isLabelled = useTool(id)?.markRequired && !mark
  return (
    <Suspense fallback={<Skeleton className="h-39 lg:h-80" />}>
      <Panel
        phase="before"
        params={state.params}
        onChange={(change) =>
          dispatch({ type: 'changed', settings: ({ params }) => ({ params: { ...params, ...change } }) })
        }
        files={Object.fromEntries(
          Object.entries(state.inputs).map(([name, pictures]) => [name, pictures.map(({ original }) => original)]),
        )}
        counts={countFiles(state.inputs)}
        onFile={async (name, file) => {
          const chosen = await chooseInputFile(file)
          if (chosen) dispatch({ type: 'rearranged', input: name, files: () => [chosen] })
          return chosen !== null
        }}
        stage={stage}
        check={check}
        facts={check?.facts ?? {}}
      />
      {isLabelled && (
        <p className="mt-2 text-muted text-sm">{t`Hasilnya diberi tulisan kecil “Diedit AI” di sudut.`}</p>
      )}
    </Suspense>
  )
}
