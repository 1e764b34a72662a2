import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { formatNumber } from '#client/format.ts'
import { isAuthenticatedAtom, store } from '#client/session.ts'
import { SignUpPanel } from '#features/account/app/account.ts'
import { type Job, UploadListButton, UploadListSheet, usePreloadSending } from '#features/uploads/app/uploads.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import { BottomSheet } from '#ui/dialog.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useWelcomeCredits, WelcomeOffer } from '#ui/welcome-offer.tsx'
import { hasPreview } from '../../rules.ts'
import { TopUpSheet } from '../contributed-parts.tsx'
import { deliveriesAtom, saveDraft } from '../draft.ts'
import type { ChosenPicture } from '../picture.ts'
import { BatchScreen } from './batch-screen.tsx'
import { useDevicePreview } from './device-preview.ts'
import { Editor } from './editor.tsx'
import { GenerationScreen, ResultView } from './generation-screen.tsx'
import { missingInput } from './inputs.ts'
import { forgetPendingGeneration, rememberPendingGeneration, transferPendingDownload } from './pending-generation.ts'
import { PreviewActions, PreviewScreen } from './preview-screen.tsx'
import { areSamples } from './sample-photos.tsx'
import { usePrices } from './start-button.tsx'
import { useStartGenerations } from './start-generations.ts'
import { type FileRequest, type GenerationRecovery, phaseOf, type StudioProps } from './studio-state.ts'
import { UploadScreen } from './upload-screen.tsx'
import { draftOf } from './use-draft.ts'
import { useVisitorPreview } from './visitor-preview.ts'

/** One module, so that the picture keeps its position between the phases. */
export function StudioScreens({
  page,
  state,
  jobs,
  dispatch,
  result,
  onResult,
  onArrived,
  onPick,
  onForgetProblems,
  onStartAgain,
}: StudioProps & {
  jobs: readonly Job[]
  result: string | null
  onResult: (result: string | null) => void
  /** The result replaces its upload. */
  onArrived: (result: string) => void
  onPick: (wanted: FileRequest) => void
  onForgetProblems: () => void
  onStartAgain: () => void
}) {
  const { definition } = page
  const { t } = useLingui()
  const { generations } = state
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const [signingUp, setSigningUp] = useState<{ start: 'register' | 'login'; price: number | null } | null>(null)
  // Lives here, because the screen below disappears when its generation is cancelled.
  const [listing, setListing] = useState(false)
  const uploads = <UploadListButton onOpen={() => setListing(true)} />
  const [missing, setMissing] = useState<number | null>(null)
  const running = generations.length > 0
  useEffect(() => {
    if (running) void ResultView.load().catch(() => undefined)
  }, [running])
  usePreloadSending(signedIn)
  const start = useStartGenerations(page, state, dispatch)
  const phase = phaseOf(state, jobs)
  const [single] = phase === 'batch' ? [] : generations
  // The result of a single generation is not opened while another result is visible.
  const arrived = single && !single.opened && result === null ? (jobs[0]?.resultId ?? null) : null
  const open = useEffectEvent((id: string) => {
    if (single) transferPendingDownload(single.job, id)
    onArrived(id)
  })
  useEffect(() => {
    if (arrived !== null) open(arrived)
  }, [arrived])
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
  const [changing, setChanging] = useState<string | null>(null)
  const made = trying ? preview.data : undefined
  const keeps = made !== undefined && made.id === changing
  const device = useDevicePreview(page, state, keeps || page.onDevice === 'before')
  const tryOut = () => {
    // A visitor who leaves for the account page finds everything again.
    if (!signedIn) void keepDraft()
    preview.mutate({ state, asked: true })
  }
  // A single picture shows the tool's effect at once, unless something must be marked or arranged.
  const pictures = chosen.map(({ id }) => id).join()
  const marks = page.stage?.missing?.(null, null) !== undefined || page.stage?.frame !== undefined
  const shows = trying && chosen.length === 1 && !marks && !missingInput(definition, state.inputs)
  const follow = useEffectEvent(() => (shows ? preview.mutate({ state, asked: isExample }) : preview.reset()))
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for other pictures
  useEffect(() => follow(), [pictures])

  function screen() {
    if (result !== null) {
      const local = pictureOf(generations.find((_, index) => jobs[index]?.resultId === result)?.picture)
      const tryAgain = (picture: ChosenPicture) => (help?: GenerationRecovery) => {
        dispatch({ type: 'triedAgain', picture, help })
        onResult(null)
      }
      return (
        <GenerationScreen
          page={page}
          id={result}
          {...(local && { local, state, preview: device, onTryAgain: tryAgain(local) })}
          onOther={() => onPick({ afresh: true })}
          {...(phase === 'batch' && {
            batch: jobs.flatMap(({ resultId }) => (resultId && resultId !== result ? [resultId] : [])),
            back: { label: t`Semua foto`, onBack: () => onResult(null) },
          })}
          onDeleted={phase === 'batch' ? () => window.history.back() : onStartAgain}
        />
      )
    }
    if (phase === 'batch') {
      return (
        <BatchScreen
          page={page}
          state={state}
          dispatch={dispatch}
          jobs={jobs}
          pictureOf={pictureOf}
          onOpen={onResult}
          onOther={() => onPick({ afresh: true })}
        />
      )
    }
    if (single) {
      return (
        <UploadScreen
          page={page}
          state={state}
          job={single.job}
          phase={phase}
          picture={pictureOf(single.picture)}
          preview={device}
          uploads={uploads}
          onBack={() => dispatch({ type: 'cancelled' })}
        />
      )
    }
    const offered = {
      price: isExample ? null : total,
      onOther: () => onPick({ afresh: true }),
      onSignUp(start: 'register' | 'login') {
        const promised = start === 'register' && !isExample
        signUp(promised ? total : null, start, promised)
      },
    }
    if (trying && (preview.isPending || made) && !keeps) {
      return (
        <PreviewScreen
          page={page}
          state={state}
          dispatch={dispatch}
          device={device}
          preview={made ?? null}
          progress={{ isSent: preview.isSent, isBusy: preview.failureCount > 0 }}
          onChange={() => setChanging(made?.id ?? null)}
          {...offered}
        />
      )
    }
    return (
      <Editor
        page={page}
        state={state}
        dispatch={dispatch}
        device={device}
        kept={keeps ? { preview: made, action: <PreviewActions brief {...offered} /> } : null}
        uploads={uploads}
        onPick={onPick}
        actions={{
          busy: start.isPending,
          start(price, check, download, count) {
            onForgetProblems()
            start.mutate({ price, check, download, count })
          },
          preview: trying ? tryOut : null,
          signUp,
          change: (input) => onPick({ afresh: true, input }),
          topUp(missing) {
            void keepDraft()
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
        <TopUpSheet missing={missing} onClose={() => setMissing(null)} onPaid={() => setMissing(null)} />
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

function SignUpSheet({
  start,
  route,
  picture,
  price,
  onClose,
  onSignedIn,
}: {
  start: 'register' | 'login'
  route: string
  picture: Blob | undefined
  /** Credits; null if no generation follows. */
  price: number | null
  onClose: () => void
  onSignedIn: () => void
}) {
  const { t } = useLingui()
  const url = useObjectUrl(picture)
  const isVideo = picture?.type.startsWith('video/')
  const thumbnail = 'checker size-14 shrink-0 rounded-lg thumbnail-picture'
  const welcome = useWelcomeCredits() ?? 0
  const credits = formatNumber(price ?? 0)
  const free = formatNumber(welcome)
  return (
    <BottomSheet open onClose={onClose} title={t`Satu langkah lagi`}>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        {url && isVideo && <video src={url} aria-label={t`Videomu`} muted playsInline className={thumbnail} />}
        {url && !isVideo && <img src={url} alt={t`Fotomu`} className={thumbnail} />}
        <p className="min-w-[min(9rem,100%)] flex-1 text-sm leading-snug">
          {price && price <= welcome ? (
            isVideo ? (
              t`Videomu langsung diproses setelah ini: ${credits} dari ${free} kredit gratis untuk akun baru.`
            ) : (
              t`Fotomu langsung diproses setelah ini: ${credits} dari ${free} kredit gratis untuk akun baru.`
            )
          ) : (
            <>
              {isVideo
                ? t`Videomu ikut, jadi tidak perlu dipilih lagi.`
                : t`Fotomu ikut, jadi tidak perlu dipilih lagi.`}{' '}
              <WelcomeOffer />
            </>
          )}
        </p>
      </div>
      <Suspense fallback={<Skeleton className="h-96" />}>
        <SignUpPanel start={start} target={route} onSignedIn={onSignedIn} />
      </Suspense>
    </BottomSheet>
  )
}
