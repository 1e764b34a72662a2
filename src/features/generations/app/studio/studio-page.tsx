import '../studio.css'
import { useLingui } from '@lingui/react/macro'
import { useAtom, useAtomValue } from 'jotai'
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { markBusy, useBusy } from '#client/busy.ts'
import { loadPageTexts } from '#client/i18n.ts'
import { lazyWithTexts } from '#client/lazy.ts'
import { retryUntilLoaded } from '#client/load-code.ts'
import { isAuthenticatedAtom, store } from '#client/session.ts'
import { sessionKeys } from '#client/storage.ts'
import { inAppAtom } from '#features/installed-app/app/installed-app.ts'
import { type Job, jobsAtom, useJobs } from '#features/uploads/app/uploads.ts'
import { findToolPage } from '#tools/pages.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { isInstantStageShown, removeInstantStage, showInstantStage } from '#ui/instant-stage.ts'
import { usePageTitle } from '#ui/page-header.tsx'
import { StudioSkeleton } from '#ui/skeleton.tsx'
import { notifyOffline } from '#ui/snackbar.tsx'
import { type DraftFile, hasUnsentDraft } from '../draft.ts'
import { EmptyStudio, Guide } from './empty-studio.tsx'
import { acceptedTypes, takesSeveral, takesVideo } from './inputs.ts'
import { rememberedParams } from './kept-params.ts'
import { usePageDrop } from './paste-and-drop.tsx'
import {
  choicesAtom,
  currentStudio,
  type Dispatch,
  emptyStudio,
  type FileRequest,
  phaseOf,
  reduceStudio,
  remainingInputs,
  type StudioEvent,
  type StudioSettings,
  type StudioState,
} from './studio-state.ts'
import { dropUnsentPictures, isSelectionStored, storeUnreadPictures, useDraft } from './use-draft.ts'

/** `shown`: the result of the page's address. */
function useStudio(page: AnyToolPage, shown: string | null): { state: StudioState; jobs: Job[]; dispatch: Dispatch } {
  const { id } = page.definition
  const [choices, setChoices] = useAtom(choicesAtom)
  const untouched = useMemo(() => emptyStudio(rememberedParams(page)), [page])
  const chosen = choices[id] ?? untouched
  const jobs = useJobs(chosen.generations.map(({ job }) => job))
  const dispatch = useCallback(
    (event: StudioEvent) =>
      setChoices((all) => {
        const chosen = all[id] ?? untouched
        return { ...all, [id]: reduceStudio(page, currentStudio(chosen, jobsOf(chosen), shown), event) }
      }),
    [page, id, untouched, shown, setChoices],
  )
  return { state: currentStudio(chosen, jobs, shown), jobs, dispatch }
}

const jobsOf = ({ generations }: StudioState): Job[] => generations.map(({ job }) => store.get(jobsAtom)(job))

async function loadReader({ definition }: AnyToolPage) {
  const [reader] = await Promise.all([
    import('./read-files.ts'),
    takesVideo(definition) && import('../video.ts'),
    loadPageTexts(),
  ])
  return reader
}

function useAddPictures(page: AnyToolPage, state: StudioState, dispatch: Dispatch) {
  const [search, setSearch] = useSearchParams()
  const [problems, setProblems] = useState<string[]>([])
  const { i18n } = useLingui()

  async function take(files: readonly DraftFile[], picking: FileRequest, settings?: Partial<StudioSettings>) {
    if (files.length === 0) return
    if (!settings) showInstantStage(files[0]?.file, i18n._(page.definition.label))
    // A page that failed to load a part may reload, and finds only stored pictures.
    const release = markBusy()
    let waited = false
    const onWait = () => {
      waited = true
      notifyOffline()
      void storeUnreadPictures({ tool: page.definition.id, files, settings }).then(release)
    }
    try {
      const { readFiles } = await retryUntilLoaded(() => loadReader(page), onWait)
      const { picked, problems } = await readFiles(page, remainingInputs(state.inputs, picking), files)
      setProblems(problems)
      if (picked.length === 0) {
        removeInstantStage()
        if (waited) await dropUnsentPictures(page.definition.id)
        return
      }
      if (search.has('result')) setSearch({})
      dispatch({ type: 'picked', picked, ...picking, ...(settings && { settings }) })
    } finally {
      release()
    }
  }
  const choose = (files: File[], picking: FileRequest = {}) =>
    take(
      files.map((file) => ({ file, ...(picking.input !== undefined && { input: picking.input }) })),
      search.has('result') ? { afresh: true } : picking,
    )

  useDraft(page, state, !search.has('result'), async ({ files, settings }) => {
    const here = new Set(Object.values(state.inputs).flatMap((pictures) => pictures.map(({ id }) => id)))
    // Signing in may store pictures that are still on this page.
    if (files.every(({ id }) => id !== undefined && here.has(id))) return
    await take(files, { afresh: true }, isSettings(settings) ? settings : undefined)
  })
  const over = usePageDrop((files) => void choose(files))
  return {
    problems,
    forget: () => setProblems([]),
    choose,
    over,
  }
}

const isSettings = (value: unknown): value is StudioSettings =>
  typeof value === 'object' && value !== null && 'params' in value && 'stage' in value

/** The page itself loads first. */
const warmDelayMs = 500

function useWarmEngine({ definition, onDevice }: AnyToolPage): void {
  useEffect(() => {
    if (!onDevice) return
    const warm = (choosing: boolean) =>
      void import('./device-engine.ts')
        .then(({ warmEngine }) => warmEngine(definition, choosing))
        .catch(() => undefined)
    const look = ({ target }: Event) => target instanceof HTMLInputElement && target.type === 'file' && warm(true)
    const timer = setTimeout(warm, warmDelayMs, false)
    document.addEventListener('click', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('click', look)
    }
  }, [definition, onDevice])
}

const StudioScreens = lazyWithTexts(() => import('./studio-screens.tsx'), 'StudioScreens', <StudioSkeleton />)

/** A part that fails to load is loaded again where it is needed. */
export function preloadParts(tool: string): void {
  const page = findToolPage(tool)
  if (!page) return
  const { panel, stage } = page
  // The panel first: only its own file tells what else it needs.
  const parts = () => [panel.load(), stage?.component.load(), StudioScreens.load(), loadReader(page)]
  void Promise.all(parts()).catch(() => undefined)
}

const FileProblems = lazyWithTexts(() => import('./studio-extras.tsx'), 'FileProblems', null)

const LinkedOptions = lazyWithTexts(() => import('./studio-extras.tsx'), 'LinkedOptions', null)

const ContinueOffer = lazyWithTexts(() => import('./continue-offer.tsx'), 'ContinueOffer', null)

const RecentResults = lazyWithTexts(() => import('./studio-extras.tsx'), 'RecentResults', null)

export function StudioPage({ tool }: { tool: string }) {
  const page = findToolPage(tool)
  return page ? <Studio key={tool} page={page} /> : null
}

function Studio({ page }: { page: AnyToolPage }) {
  const { t, i18n } = useLingui()
  const { definition, labels } = page
  const tool = definition.id
  const [search, setSearch] = useSearchParams()
  const result = search.get('result')
  const { state, jobs, dispatch } = useStudio(page, result)
  const [, navigate] = useLocation()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const inApp = useAtomValue(inAppAtom) !== null
  const { problems, forget, choose, over } = useAddPictures(page, state, dispatch)
  const picker = useId()
  const picking = useRef<FileRequest>({})
  const phase = phaseOf(state, jobs)
  const alone = state.generations.length < 2
  usePageTitle(i18n._(definition.label))
  const isRestorable = useCallback(() => isSelectionStored(tool), [tool])
  useBusy(Object.values(state.inputs).flat().length > 0, isRestorable)
  // Prerendered pages know no storage.
  const [offers, setOffers] = useState(false)
  useEffect(() => setOffers(hasUnsentDraft(tool)), [tool])
  useWarmEngine(page)
  // Loads everything needed after choosing a picture, since the connection may be gone then; for a
  // photo that was chosen already, at once.
  useEffect(() => {
    const timer = setTimeout(preloadParts, isInstantStageShown() ? 0 : warmDelayMs, tool)
    return () => clearTimeout(timer)
  }, [tool])

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
      {result === null && (inApp || search.has('options')) && (
        <LinkedOptions page={page} state={state} dispatch={dispatch} />
      )}
      {result === null && phase === 'empty' && !state.replaced && offers && <ContinueOffer tool={tool} />}
      {problems.length > 0 && <FileProblems sentences={problems} onClose={forget} />}
      {result === null && phase === 'empty' ? (
        <EmptyStudio
          page={page}
          state={state}
          dispatch={dispatch}
          over={over}
          onFiles={(files) => void choose(files)}
          onTopUp={() => {
            sessionStorage.setItem(sessionKeys.boughtFrom, definition.route)
            navigate('/pricing', { state: { from: definition.route } })
          }}
        />
      ) : (
        <StudioScreens
          page={page}
          state={state}
          jobs={jobs}
          dispatch={dispatch}
          result={result}
          onResult={(id) => setSearch(id === null ? {} : { result: id })}
          onArrived={(id) => {
            setSearch({ result: id }, { replace: true })
            dispatch({ type: 'opened' })
          }}
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
