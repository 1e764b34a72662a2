import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { lazyComponent } from '#client/lazy.ts'
import { isAuthenticatedAtom, store } from '#client/session.ts'
import {
  type Job,
  UploadListButton,
  UploadListSheet,
  useJobs,
  usePreloadSending,
} from '#features/uploads/app/uploads.ts'
import { hasPreview } from '../../rules.ts'
import { TopUpSheet } from '../contributed.tsx'
import { deliveriesAtom, saveDraft } from '../draft.ts'
import type { ChosenPicture } from '../picture.ts'
import { BatchScreen } from './batch-screen.tsx'
import { useDevicePreview } from './device-preview.ts'
import { Editor } from './editor.tsx'
import { GenerationScreen, ResultView } from './generation-screen.tsx'
import { missingInput } from './inputs.ts'
import { forgetPendingGeneration, rememberPendingGeneration, transferPendingDownload } from './pending-generation.ts'
import { PreviewScreen } from './preview-screen.tsx'
import { areSamples } from './samples.ts'
import { usePrices } from './start-button.tsx'
import { useStartRuns } from './start-runs.ts'
import type { FileRequest, RunChange, StudioState } from './studio-state.ts'
import { UploadScreen } from './upload-screen.tsx'
import { draftOf } from './use-draft.ts'
import type { Dispatch, StudioProps } from './use-studio.ts'
import { useVisitorPreview } from './visitor-preview.ts'

const SignUpSheet = lazyComponent(() => import('./sign-up-sheet.tsx'), 'SignUpSheet', null)

/** One module, so that the picture keeps its position between the phases. */
export function StudioScreens({
  page,
  state,
  dispatch,
  result,
  onResult,
  onPick,
  onForgetProblems,
  onStartAgain,
}: StudioProps & {
  result: string | null
  /** `arrived`: the result replaces its upload. */
  onResult: (result: string | null, arrived?: boolean) => void
  onPick: (wanted: FileRequest) => void
  onForgetProblems: () => void
  onStartAgain: () => void
}) {
  const { definition } = page
  const { t } = useLingui()
  const { runs } = state
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const [signingUp, setSigningUp] = useState<{ start: 'register' | 'login'; price: number | null } | null>(null)
  // Lives here, because the screen below disappears when its generation is cancelled.
  const [listing, setListing] = useState(false)
  const uploads = <UploadListButton onOpen={() => setListing(true)} />
  const [missing, setMissing] = useState<number | null>(null)
  const device = useDevicePreview(page, state)
  const running = runs.length > 0
  useEffect(() => {
    if (running) void ResultView.load().catch(() => undefined)
  }, [running])
  usePreloadSending(signedIn)
  const start = useStartRuns(page, state, dispatch)
  const jobs = useArrivals(state, result, dispatch, onResult)
  const chosen = Object.values(state.inputs).flat()
  const pictureOf = (id: string | undefined) => chosen.find((picture) => picture.id === id)

  const keepDraft = () => saveDraft(draftOf(definition.id, state))
  /** `price`: credits of the generation that starts after signing in. */
  const signUp = (price: number | null, start: 'register' | 'login' = 'register', download = false) => {
    void keepDraft()
    if (price !== null) rememberPendingGeneration(state, { tool: definition.id, price, download })
    setSigningUp({ start, price })
  }
  const isExample = areSamples(state.inputs)
  const { total } = usePrices(page, state, null)
  const trying = hasPreview(definition) && (!signedIn || isExample)
  const preview = useVisitorPreview(page, () => signUp(null))
  const tryOut = () => {
    // A visitor who leaves for the account page finds everything again.
    if (!signedIn) void keepDraft()
    preview.mutate({ state, asked: true })
  }
  // A single picture shows the tool's effect at once, unless something must be marked or arranged.
  const pictures = chosen.map(({ id }) => id).join()
  const marks = page.stage?.missing !== undefined || page.stage?.frame !== undefined
  const shows = trying && chosen.length === 1 && !marks && !missingInput(definition, state.inputs)
  const follow = useEffectEvent(() => (shows ? preview.mutate({ state, asked: isExample }) : preview.reset()))
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for other pictures
  useEffect(() => follow(), [pictures])

  function screen() {
    if (result !== null) {
      const local = pictureOf(runs.find((run) => run.result === result)?.picture)
      const tryAgain = (picture: ChosenPicture) => (help?: RunChange) => {
        dispatch({ type: 'triedAgain', picture, help })
        onResult(null)
      }
      return (
        <GenerationScreen
          page={page}
          id={result}
          {...(local && { local, state, preview: device, onTryAgain: tryAgain(local) })}
          onStartAgain={onStartAgain}
          {...(runs.length > 1 && {
            batch: runs.flatMap((run) => (run.result && run.result !== result ? [run.result] : [])),
          })}
          {...(runs.length > 1 && { back: { label: t`Semua foto`, onBack: () => onResult(null) } })}
          onDeleted={runs.length > 1 ? () => window.history.back() : onStartAgain}
        />
      )
    }
    if (runs.length > 1) {
      return (
        <BatchScreen
          page={page}
          runs={runs}
          jobs={jobs}
          pictureOf={pictureOf}
          onOpen={onResult}
          onStartAgain={onStartAgain}
        />
      )
    }
    if (jobs[0]) {
      return (
        <UploadScreen
          page={page}
          state={state}
          job={jobs[0]}
          picture={pictureOf(runs[0]?.picture)}
          preview={device}
          uploads={uploads}
          onBack={() => dispatch({ type: 'cancelled' })}
        />
      )
    }
    if (trying && (preview.isPending || preview.data)) {
      return (
        <PreviewScreen
          page={page}
          state={state}
          dispatch={dispatch}
          device={device}
          preview={preview.data ?? null}
          onChange={preview.reset}
          onOther={isExample ? onStartAgain : () => onPick({ afresh: true })}
          price={isExample ? null : total}
          onSignUp={(start) => {
            const promised = start === 'register' && !isExample
            signUp(promised ? total : null, start, promised)
          }}
        />
      )
    }
    return (
      <Editor
        page={page}
        state={state}
        dispatch={dispatch}
        device={device}
        uploads={uploads}
        onPick={onPick}
        actions={{
          busy: start.isPending,
          start(price, check, download) {
            onForgetProblems()
            start.mutate({ price, check, download })
          },
          preview: trying ? tryOut : null,
          signUp,
          change: (input) => onPick({ afresh: true, input }),
          topUp(price, missing) {
            void keepDraft()
            rememberPendingGeneration(state, { tool: definition.id, price })
            setMissing(missing)
          },
        }}
      />
    )
  }

  return (
    <>
      {screen()}
      {listing && <UploadListSheet onClose={() => setListing(false)} />}
      {missing !== null && (
        <TopUpSheet
          missing={missing}
          onClose={() => {
            forgetPendingGeneration()
            setMissing(null)
          }}
          onPaid={() => setMissing(null)}
        />
      )}
      {signingUp && (
        <SignUpSheet
          {...signingUp}
          route={definition.route}
          picture={preview.data?.outputs[0]?.blob ?? chosen[0]?.original}
          onClose={() => {
            forgetPendingGeneration()
            setSigningUp(null)
          }}
          onSignedIn={() => {
            setSigningUp(null)
            // Signing in may have removed another user's data, and the studio's state with it: the
            // visible tab loads the draft again.
            if (document.visibilityState === 'visible') store.set(deliveriesAtom, (count) => count + 1)
          }}
        />
      )}
    </>
  )
}

function useArrivals(
  { runs }: StudioState,
  shown: string | null,
  dispatch: Dispatch,
  onResult: (id: string, arrived: true) => void,
): Job[] {
  const jobs = useJobs(runs.map(({ job }) => job))
  const results = jobs.map(({ resultId }) => resultId)
  // The result of a single generation is not opened while another result is visible.
  const waits = runs.length === 1 && shown !== null
  const tell = useEffectEvent(() => {
    if (waits) return
    results.forEach((result, index) => {
      const run = runs[index]
      if (!run || !result || run.result === result) return
      transferPendingDownload(run.job, result)
      if (runs.length === 1) onResult(result, true)
      dispatch({ type: 'arrived', job: run.job, result })
    })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each arrival
  useEffect(() => tell(), [results.join(), waits])
  // Cancelled in the upload list or in another tab: the studio shows the picture with its options
  // again.
  const gone = runs.length === 1 && jobs[0]?.upload === undefined && !results[0]
  useEffect(() => {
    if (gone) dispatch({ type: 'cancelled' })
  }, [gone, dispatch])
  return jobs
}
