import '../studio.css'
import { useLingui } from '@lingui/react/macro'
import { useAtom, useAtomValue } from 'jotai'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useBusy } from '#client/busy.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { findToolPage } from '#tools/pages.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { usePageTitle } from '#ui/page-title.ts'
import { hasPreview } from '../../rules.ts'
import { saveDraft } from '../draft.ts'
import { EmptyStudio } from './empty-studio.tsx'
import { Guide } from './guide.tsx'
import { acceptedTypes, mainInput, maxFiles, takesVideo } from './inputs.ts'
import { Problems } from './problems.tsx'
import { areSamples } from './samples.ts'
import type { stages } from './stages.ts'
import { draftFile, hasPictures, noPictures, type StudioChange, settingsOf, studioStateOf } from './studio-state.ts'
import { triedAgain } from './try-again.ts'
import { useAddPictures } from './use-add-pictures.ts'
import { useDevicePreview, useReadyDevice } from './use-device-preview.ts'
import { useStartRuns } from './use-start-runs.ts'
import { useVisitorPreview } from './use-visitor-preview.ts'

type Stages = typeof stages

// What is seen once there is a picture comes after the first screen, which only asks for one.
const loadStages = () => import('./stages.ts')
const Stages = lazy(async () => {
  const { stages } = await loadStages()
  return { default: ({ children }: { children: (stages: Stages) => ReactNode }) => children(stages) }
})

/** Below the fold, and only for whoever has results. */
const RecentResults = lazy(async () => ({ default: (await import('./recent-results.tsx')).RecentResults }))

const SignUpSheet = lazy(async () => ({ default: (await import('./sign-up-sheet.tsx')).SignUpSheet }))

/** The page of a tool by its id. */
export function StudioPage({ tool }: { tool: string }) {
  const page = findToolPage(tool)
  return page ? <Studio key={tool} page={page} /> : null
}

/** Choose, set, run, compare, change, take away. */
function Studio({ page }: { page: AnyToolPage }) {
  const { t, i18n } = useLingui()
  const { facts, labels } = page
  const [state, setState] = useAtom(studioStateOf(page))
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const [signingUp, setSigningUp] = useState(false)
  const { problems, forget, choose, over } = useAddPictures(page)
  const { busy, start, sent } = useStartRuns(page)
  const devicePreview = useDevicePreview(page, state)
  const picker = useId()
  const pickingFor = useRef<string | undefined>(undefined)
  const result = search.get('result')
  const change = useCallback(
    (part: StudioChange) => setState((now) => ({ ...now, ...(typeof part === 'function' ? part(now) : part) })),
    [setState],
  )
  usePageTitle(i18n._(facts.label))
  useBusy(hasPictures(state))

  useEffect(() => {
    const timer = setTimeout(() => void loadStages().catch(() => undefined), 500)
    return () => clearTimeout(timer)
  }, [])
  useReadyDevice(page)

  // Somebody came back to the plain address of the tool after a finished run: start empty.
  const finished = result === null && state.runs.length === 1 && state.runs[0]?.generation !== null
  useEffect(() => {
    if (finished) change(noPictures)
  }, [finished, change])

  const only = state.runs.length === 1 ? state.runs[0] : undefined
  const onlyUpload = only?.upload
  const onlySent = useCallback(
    (generation: string) => {
      setSearch({ result: generation }, { replace: true })
      if (onlyUpload) sent(onlyUpload, generation)
    },
    [onlyUpload, sent, setSearch],
  )

  const startAgain = () => {
    preview.close()
    change(noPictures)
    forget()
    setSearch({})
  }
  const pick = (input?: string) => {
    pickingFor.current = input
    const element = document.getElementById(picker)
    if (element instanceof HTMLInputElement) element.accept = acceptedTypes(page, input)
    element?.click()
  }
  // From the first picture on the studio has the window for itself; a batch is a list.
  const immersive = result !== null || only !== undefined || (hasPictures(state) && state.runs.length === 0)
  const chosen = Object.values(state.inputs).flat()
  const pictureOf = (id: string | undefined) => chosen.find((picture) => picture.id === id)
  const keepDraft = () =>
    saveDraft({
      tool: facts.id,
      files: Object.entries(state.inputs).flatMap(([input, pictures]) =>
        pictures.map((picture) => draftFile(input, picture)),
      ),
      settings: settingsOf(state),
    })
  const signUp = () => {
    void keepDraft()
    setSigningUp(true)
  }
  const isExample = areSamples(state.inputs)
  const trying = hasPreview(facts) && (!signedIn || isExample)
  const preview = useVisitorPreview(page, signUp)
  // An example shows at once what the tool does.
  const example = trying && isExample ? chosen[0]?.id : undefined
  const showExample = useEffectEvent(() => void preview.start(state))
  useEffect(() => {
    if (example !== undefined) showExample()
  }, [example])
  const topUp = () => navigate('/pricing', { state: { from: facts.route } })

  function stage({ ArrangedPicture, Batch, Editor, GenerationStage, PreviewStage, UploadStage }: Stages) {
    if (result) {
      const local = pictureOf(state.runs.find(({ generation }) => generation === result)?.picture)
      return (
        <GenerationStage
          page={page}
          id={result}
          local={local ?? null}
          arrange={
            local
              ? (over, otherwise) => (
                  <ArrangedPicture page={page} state={state} otherwise={otherwise}>
                    {over}
                  </ArrangedPicture>
                )
              : undefined
          }
          preview={local ? devicePreview : null}
          onStartAgain={startAgain}
          onTryAgain={
            local
              ? (help) => {
                  change((now) => triedAgain(page, now, local, help))
                  setSearch({})
                }
              : null
          }
          onDeleted={state.runs.length > 1 ? () => window.history.back() : startAgain}
        />
      )
    }
    if (only && only.generation === null) {
      return (
        <UploadStage
          page={page}
          id={only.upload}
          state={state}
          picture={pictureOf(only.picture)}
          preview={devicePreview}
          onSent={onlySent}
          onBack={() => change({ runs: [] })}
        />
      )
    }
    if (state.runs.length > 1) {
      return (
        <Batch
          page={page}
          runs={state.runs}
          pictureOf={pictureOf}
          onOpen={(id) => setSearch({ result: id })}
          onSent={sent}
          onDone={startAgain}
        />
      )
    }
    if (hasPictures(state) && preview.shown !== null && trying) {
      return (
        <PreviewStage
          page={page}
          picture={state.inputs[mainInput(facts)]?.[0]}
          preview={preview.shown === 'working' ? null : preview.shown}
          device={devicePreview}
          onChange={preview.close}
          onStartAgain={startAgain}
        />
      )
    }
    return (
      <Editor
        page={page}
        state={state}
        busy={busy}
        onChange={change}
        onAdd={pick}
        onStartAgain={startAgain}
        onStart={(price, inspection) => {
          forget()
          void start(price, inspection)
        }}
        onPreview={
          trying
            ? () => {
                // Whoever leaves for the account from here finds everything again.
                if (!signedIn) void keepDraft()
                void preview.start(state)
              }
            : null
        }
        onSignUp={signUp}
        onTopUp={() => void keepDraft().then(topUp)}
      />
    )
  }

  return (
    <div className="page pb-16">
      <input
        id={picker}
        type="file"
        accept={acceptedTypes(page)}
        multiple={Object.keys(facts.inputs).some((name) => maxFiles(facts, name) > 1)}
        hidden
        aria-label={takesVideo(facts) ? t`Pilih video` : t`Pilih foto`}
        onChange={(event) => {
          void choose([...(event.target.files ?? [])], pickingFor.current)
          pickingFor.current = undefined
          event.target.value = ''
        }}
      />
      {problems.length > 0 && <Problems sentences={problems} onClose={forget} />}
      {result !== null || hasPictures(state) || state.runs.length > 0 ? (
        <Suspense fallback={<div className="min-h-[60dvh]" />}>
          <Stages>{stage}</Stages>
        </Suspense>
      ) : (
        <EmptyStudio
          page={page}
          state={state}
          over={over}
          picker={picker}
          onChange={change}
          onFiles={(files) => void choose(files)}
          onTopUp={topUp}
        />
      )}
      {!immersive && (
        <div className="mt-12 grid gap-12 md:mt-16 md:gap-16">
          {signedIn && (
            <Suspense>
              <RecentResults page={page} shown={result} />
            </Suspense>
          )}
          <Guide steps={labels.steps} advice={labels.advice} />
        </div>
      )}
      {signingUp && !signedIn && (
        <Suspense>
          <SignUpSheet open onClose={() => setSigningUp(false)} route={facts.route} />
        </Suspense>
      )}
    </div>
  )
}
