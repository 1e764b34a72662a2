import '../studio.css'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Lightbulb } from 'lucide-react'
import { useCallback, useEffect, useId, useRef } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useBusy } from '#client/busy.ts'
import { lazyComponent } from '#client/lazy.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { inAppAtom } from '#features/installed-app/app/installed-app.ts'
import { findToolPage } from '#tools/pages.ts'
import type { AnyToolPage, ToolLabels } from '#tools/ui/page.ts'
import { usePageTitle } from '#ui/page-title.ts'
import { EmptyStudio } from './empty-studio.tsx'
import { acceptedTypes, takesSeveral, takesVideo } from './inputs.ts'
import { phaseOf } from './studio-reducer.ts'
import type { FileRequest } from './studio-state.ts'
import { loadReader, useAddPictures } from './use-add-pictures.ts'
import { isSelectionStored } from './use-draft.ts'
import { useStudio } from './use-studio.ts'
import { useWarmEngine } from './use-warm-engine.ts'

const StudioScreens = lazyComponent(
  () => import('./studio-screens.tsx'),
  'StudioScreens',
  <div className="min-h-[60dvh]" />,
)

const FileProblems = lazyComponent(() => import('./file-problems.tsx'), 'FileProblems', null)

const LinkedOptions = lazyComponent(() => import('./linked-options.tsx'), 'LinkedOptions', null)

const RecentResults = lazyComponent(() => import('./recent-results.tsx'), 'RecentResults', null)

export function StudioPage({ tool }: { tool: string }) {
  const page = findToolPage(tool)
  return page ? <Studio key={tool} page={page} /> : null
}

function Studio({ page }: { page: AnyToolPage }) {
  const { t, i18n } = useLingui()
  const { definition, labels } = page
  const tool = definition.id
  const [state, dispatch] = useStudio(page)
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const inApp = useAtomValue(inAppAtom) !== null
  const { problems, forget, choose, over } = useAddPictures(page, state, dispatch)
  const picker = useId()
  const picking = useRef<FileRequest>({})
  const result = search.get('result')
  const phase = phaseOf(state)
  const alone = state.runs.length < 2
  usePageTitle(i18n._(definition.label))
  const isRestorable = useCallback(() => isSelectionStored(tool), [tool])
  useBusy(Object.values(state.inputs).flat().length > 0, isRestorable)
  useWarmEngine(page)
  // Loads everything needed after choosing a picture, since the connection may be gone then.
  useEffect(() => {
    const { panel, stage } = page
    const parts = () => [StudioScreens.load(), loadReader(page), panel.load(), stage?.component.load()]
    const timer = setTimeout(() => void Promise.all(parts()).catch(() => undefined), 500)
    return () => clearTimeout(timer)
  }, [page])

  // Returning to the tool's plain address after a generation has arrived starts with an empty
  // studio.
  const wasShown = result === null && phase === 'arrived' && alone
  useEffect(() => {
    if (wasShown) dispatch({ type: 'startedAgain' })
  }, [wasShown, dispatch])

  const pick = (wanted: FileRequest = {}) => {
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
      {result === null && (inApp || search.has('options')) && <LinkedOptions {...{ page, state, dispatch }} />}
      {problems.length > 0 && <FileProblems sentences={problems} onClose={forget} />}
      {result === null && phase === 'empty' ? (
        <EmptyStudio
          {...{ page, state, dispatch, over }}
          onFiles={(files) => void choose(files)}
          onTopUp={() => navigate('/pricing', { state: { from: definition.route } })}
        />
      ) : (
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
      )}
      {result === null && (phase === 'empty' || !alone) && (
        <div className="mt-12 grid gap-12 md:mt-16 md:gap-16">
          {signedIn && <RecentResults page={page} />}
          <Guide steps={labels.steps} advice={labels.advice} />
        </div>
      )}
    </div>
  )
}

function Guide({ steps, advice }: Pick<ToolLabels, 'steps' | 'advice'>) {
  const { t, i18n } = useLingui()
  return (
    <section aria-labelledby="guide" className="grid grid-cols-1 gap-5">
      <h2 id="guide" className="text-2xl font-bold">
        {t`Cara pakai`}
      </h2>
      <ol className="grid grid-cols-1 gap-3 md:grid-cols-3 md:gap-5">
        {steps.map((step, index) => (
          <li key={step.title.id} className="card flex-row gap-4 p-5 md:flex-col">
            <span
              aria-hidden
              className="grid size-10 shrink-0 place-items-center rounded-2xl bg-soft text-lg font-extrabold text-on-soft"
            >
              {index + 1}
            </span>
            <div className="wrap-anywhere min-w-0">
              <h3 className="font-bold">{i18n._(step.title)}</h3>
              <p className="mt-1 leading-relaxed text-muted">{i18n._(step.text)}</p>
            </div>
          </li>
        ))}
      </ol>
      <div className="flex gap-4 rounded-box bg-soft p-5 text-on-soft">
        <Lightbulb aria-hidden className="mt-0.5 size-6 shrink-0" />
        <div className="wrap-anywhere min-w-0">
          <h3 className="font-bold">{t`Supaya hasilnya bagus`}</h3>
          <p className="mt-1 leading-relaxed">{i18n._(advice)}</p>
        </div>
      </div>
    </section>
  )
}
