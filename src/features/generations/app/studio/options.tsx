import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { type CSSProperties, Suspense } from 'react'
import { isAuthenticatedAtom } from '#client/session.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import type { PanelProps } from '#tools/ui/page.ts'
import { useTool } from '#tools/ui/tools-query.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { hasPreview } from '../../rules.ts'
import { chooseInputFile } from '../input-file.ts'
import { countFiles } from './inputs.ts'
import { StartButton } from './start-button.tsx'
import type { StudioProps } from './studio-state.ts'

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
    <Suspense
      fallback={
        <div style={{ '--panel': `${page.panelHeight ?? 9.75}rem` } as CSSProperties}>
          <Skeleton className="panel-skeleton lg:h-80" />
        </div>
      }
    >
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

export function EmptyOptions({ onTopUp, ...studio }: StudioProps & { onTopUp: () => void }) {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const askForPicture = () => showSnackbar('error', t`Unggah gambar terlebih dahulu`)
  return (
    <div className="card flex min-h-0 flex-col max-lg:hidden">
      <div className="studio-options flex min-h-0 flex-1 flex-col overflow-y-auto overflow-x-hidden lg:px-6 lg:py-5">
        <Options {...studio} stage={null} />
      </div>
      <div className="grid gap-1.5 lg:border-line/60 lg:border-t lg:px-6 lg:pt-3 lg:pb-5">
        <StartButton
          {...studio}
          check={null}
          problems={[]}
          rechecks={false}
          onShow={() => undefined}
          actions={{
            busy: false,
            start: askForPicture,
            signUp: askForPicture,
            change: askForPicture,
            topUp: onTopUp,
            preview: !signedIn && hasPreview(studio.page.definition) ? askForPicture : null,
          }}
        />
      </div>
    </div>
  )
}
