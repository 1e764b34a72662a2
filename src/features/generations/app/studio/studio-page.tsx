import '../studio.css'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Suspense, useEffect, useId, useRef } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useBusy } from '#client/busy.ts'
import { lazyComponent } from '#client/lazy.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { findToolPage } from '#tools/pages.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { usePageTitle } from '#ui/page-title.ts'
import { useReadyDevice } from './device-preview.ts'
import { EmptyStudio } from './empty-studio.tsx'
import { Guide } from './guide.tsx'
import { acceptedTypes, takesSeveral, takesVideo } from './inputs.ts'
import { Problems } from './problems.tsx'
import { phaseOf } from './studio-reducer.ts'
import type { Picking } from './studio-state.ts'
import { useAddPictures } from './use-add-pictures.ts'
import { useStudio } from './use-studio.ts'

// What is seen once there is a picture comes after the first screen, which only asks for one.
const StudioScreens = lazyComponent(() => import('./studio-screens.tsx'), 'StudioScreens')

/** Below the fold, and only for whoever has results. */
const RecentResults = lazyComponent(() => import('./recent-results.tsx'), 'RecentResults')

/** The page of a tool by its id. */
export function StudioPage({ tool }: { tool: string }) {
  const page = findToolPage(tool)
  return page ? <Studio key={tool} page={page} /> : null
}

/** Choose, set, run, compare, change, take away. */
function Studio({ page }: { page: AnyToolPage }) {
  const { t, i18n } = useLingui()
  const { definition, labels } = page
  const [state, dispatch] = useStudio(page)
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { problems, forget, choose, over } = useAddPictures(page, state, dispatch)
  const picker = useId()
  const picking = useRef<Picking>({})
  const result = search.get('result')
  const phase = phaseOf(state)
  const alone = state.runs.length < 2
  usePageTitle(i18n._(definition.label))
  useBusy(Object.values(state.inputs).flat().length > 0)
  useReadyDevice(page)
  useEffect(() => {
    const timer = setTimeout(() => void StudioScreens.load().catch(() => undefined), 500)
    return () => clearTimeout(timer)
  }, [])

  // Somebody came back to the plain address of the tool after a run has arrived: start empty.
  const wasShown = result === null && phase === 'arrived' && alone
  useEffect(() => {
    if (wasShown) dispatch({ type: 'startedAgain' })
  }, [wasShown, dispatch])

  const pick = (wanted: Picking = {}) => {
    picking.current = wanted
    const element = document.getElementById(picker)
    if (element instanceof HTMLInputElement) element.accept = acceptedTypes(page, wanted.input)
    element?.click()
  }
  return (
    <div className="page pb-16">
      <input
        id={picker}
        type="file"
        accept={acceptedTypes(page)}
        multiple={takesSeveral(definition)}
        hidden
        aria-label={takesVideo(definition) ? t`Pilih video` : t`Pilih foto`}
        onChange={(event) => {
          void choose([...(event.target.files ?? [])], picking.current)
          picking.current = {}
          event.target.value = ''
        }}
      />
      {problems.length > 0 && <Problems sentences={problems} onClose={forget} />}
      {result === null && phase === 'empty' ? (
        <EmptyStudio
          {...{ page, state, dispatch, over }}
          onFiles={(files) => void choose(files)}
          onTopUp={() => navigate('/pricing', { state: { from: definition.route } })}
        />
      ) : (
        <Suspense fallback={<div className="min-h-[60dvh]" />}>
          <StudioScreens
            {...{ page, state, dispatch }}
            result={result}
            onResult={(id, arrived = false) => setSearch(id === null ? {} : { result: id }, { replace: arrived })}
            onPick={pick}
            onForgetProblems={forget}
            onStartAgain={() => {
              dispatch({ type: 'startedAgain' })
              forget()
              setSearch({})
            }}
          />
        </Suspense>
      )}
      {/* From the first picture on the studio has the window for itself; a batch is a list. */}
      {result === null && (phase === 'empty' || !alone) && (
        <div className="mt-12 grid gap-12 md:mt-16 md:gap-16">
          {signedIn && (
            <Suspense>
              <RecentResults page={page} />
            </Suspense>
          )}
          <Guide steps={labels.steps} advice={labels.advice} />
        </div>
      )}
    </div>
  )
}
