import '../studio.css'
import { useLingui } from '@lingui/react/macro'
import { useAtom, useAtomValue } from 'jotai'
import { TriangleAlert, X } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useId, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { mayStart } from '#app/consent.ts'
import { deliveriesAtom, saveDraft, takeDraft } from '#app/draft.ts'
import { errorText } from '#app/errors.ts'
import { useBusy } from '#app/offline/busy.ts'
import { enqueueGeneration } from '#app/offline/uploads.ts'
import { isAuthenticatedAtom } from '#app/session.ts'
import { showSnackbar } from '#app/snackbar.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { usePageTitle } from '#app/ui/page-title.ts'
import type { AnyToolPanel } from '#tools/panel.ts'
import { findToolPanel } from '#tools/panels.ts'
import { boxInPixels } from '../geometry.ts'
import { type ChosenPicture, choosePicture, pictureToSend } from '../picture.ts'
import { problemWords } from '../words.ts'
import { Batch } from './batch.tsx'
import { type Desk, deskOf, freshPictures, mostPictures, type Run, rememberParams } from './desk.ts'
import { DropZone } from './drop-zone.tsx'
import { Editor } from './editor.tsx'
import { GenerationStage } from './generation-stage.tsx'
import { Guide } from './guide.tsx'
import { Options } from './options.tsx'
import { RecentResults } from './recent-results.tsx'
import { SignUpSheet } from './sign-up-sheet.tsx'
import { StartButton } from './start-button.tsx'
import { UploadStage } from './upload-stage.tsx'
import { usePagePictures } from './use-page-pictures.ts'

/** The page of a tool by its id. */
export function StudioPage({ tool }: { tool: string }) {
  const panel = findToolPanel(tool)
  return panel ? <Studio key={tool} panel={panel} /> : null
}

/** Choose, set, run, compare, change, take away. */
function Studio({ panel }: { panel: AnyToolPanel }) {
  const { t, i18n } = useLingui()
  const { facts, words } = panel
  const [desk, setDesk] = useAtom(deskOf(panel))
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const deliveries = useAtomValue(deliveriesAtom)
  // The server had to turn away what was shared from another app before the service worker was there.
  const [problems, setProblems] = useState<string[]>(() =>
    search.get('shared') === '0'
      ? [t`Foto yang kamu bagikan belum bisa diterima. Pilih lagi fotonya di sini, ya.`]
      : [],
  )
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const picker = useId()
  const result = search.get('result')
  const change = useCallback((part: Partial<Desk>) => setDesk((now) => ({ ...now, ...part })), [setDesk])
  usePageTitle(i18n._(facts.label))
  useEffect(() => {
    // Told once, also when the page is loaded again.
    if (search.has('shared')) setSearch({}, { replace: true })
  }, [search, setSearch])
  useBusy(desk.pictures.length > 0)

  const startAgain = () => {
    change(freshPictures)
    setProblems([])
    setSearch({})
  }

  async function choose(files: File[]) {
    if (files.length === 0) return
    const started = desk.runs.length > 0 || result !== null
    const room = mostPictures - (started ? 0 : desk.pictures.length)
    const sentences = new Set<string>()
    const chosen: ChosenPicture[] = []
    for (const file of files.slice(0, room)) {
      const picture = await choosePicture(file)
      if (typeof picture === 'string') sentences.add(i18n._(problemWords[picture]))
      else chosen.push(picture)
    }
    if (files.length > room) sentences.add(t`Paling banyak ${mostPictures} foto sekaligus. Sisanya tidak ikut.`)
    setProblems([...sentences])
    if (chosen.length === 0) return
    if (started) setSearch({})
    setDesk((now) => ({
      ...now,
      ...(started && freshPictures),
      pictures: [...(started ? [] : now.pictures), ...chosen].slice(0, mostPictures),
      area: null,
    }))
  }
  const over = usePagePictures((files) => void choose(files))

  // What was chosen before signing up or on the home page, shared or opened from elsewhere, arrives here.
  const onDraft = useEffectEvent((files: File[]) => void choose(files))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a delivery is looked for when there is one
  useEffect(() => {
    let mounted = true
    void takeDraft(facts.id).then((draft) => {
      if (!draft) return
      if (mounted) onDraft(draft.files)
      else void saveDraft(draft)
    })
    return () => {
      mounted = false
    }
  }, [facts.id, deliveries])

  // Somebody came back to the plain address of the tool after a finished run: a fresh table.
  const finished = result === null && desk.runs.length === 1 && desk.runs[0]?.generation !== null
  useEffect(() => {
    if (finished) change(freshPictures)
  }, [finished, change])

  const keepDraft = () =>
    saveDraft({
      tool: facts.id,
      files: desk.pictures.map(({ original, name }) => new File([original], name, { type: original.type })),
    })

  async function start(price: number) {
    if (!(await mayStart(facts))) return
    setBusy(true)
    rememberParams(facts.id, desk.params)
    const runs: Run[] = []
    try {
      for (const picture of desk.pictures) {
        const { blob, name, size } = await pictureToSend(picture, desk.shrink)
        const box = desk.area && size ? boxInPixels(desk.area, size) : undefined
        const extras = facts.extras.flatMap((field) => {
          const file = desk.files[field]
          return file ? [{ field, name: file instanceof File ? file.name : field, blob: file }] : []
        })
        const upload = await enqueueGeneration({
          tool: facts.id,
          params: { ...desk.params, ...(box && panel.areaParams?.(box)) },
          files: [{ field: 'image', name, blob }, ...extras],
          price,
        })
        runs.push({ picture: picture.id, upload, generation: null })
      }
    } catch (error) {
      showSnackbar('error', errorText(error))
    } finally {
      setBusy(false)
      // What did not get into the queue stays on the table.
      if (runs.length > 0) change({ runs })
    }
  }

  const sent = useCallback(
    (upload: string, generation: string) => {
      setDesk((now) => {
        const runs = now.runs.map((run) => (run.upload === upload ? { ...run, generation } : run))
        return { ...now, runs }
      })
    },
    [setDesk],
  )
  const only = desk.runs.length === 1 ? desk.runs[0] : undefined
  const onlyUpload = only?.upload
  const onlySent = useCallback(
    (generation: string) => {
      setSearch({ result: generation }, { replace: true })
      if (onlyUpload) sent(onlyUpload, generation)
    },
    [onlyUpload, sent, setSearch],
  )
  const localOf = (generation: string) => {
    const run = desk.runs.find((candidate) => candidate.generation === generation)
    return desk.pictures.find(({ id }) => id === run?.picture)
  }

  const askForPicture = () => showSnackbar('error', t`Unggah gambar terlebih dahulu`)

  function stage() {
    if (result) {
      const local = localOf(result)
      return (
        <GenerationStage
          panel={panel}
          id={result}
          local={local?.original ?? null}
          onStartAgain={startAgain}
          onTryAgain={
            local
              ? () => {
                  change({ runs: [], pictures: [local] })
                  setSearch({})
                }
              : null
          }
          onDeleted={desk.runs.length > 1 ? () => window.history.back() : startAgain}
        />
      )
    }
    if (only && only.generation === null) {
      return (
        <UploadStage
          panel={panel}
          id={only.upload}
          picture={desk.pictures.find(({ id }) => id === only.picture)}
          onSent={onlySent}
          onBack={() => change({ runs: [] })}
        />
      )
    }
    if (desk.runs.length > 1) {
      return (
        <Batch
          panel={panel}
          runs={desk.runs}
          onOpen={(id) => setSearch({ result: id })}
          onSent={sent}
          onDone={startAgain}
        />
      )
    }
    if (desk.pictures.length > 0) {
      return (
        <Editor
          panel={panel}
          desk={desk}
          busy={busy}
          onChange={change}
          onAdd={() => document.getElementById(picker)?.click()}
          onStartAgain={startAgain}
          onStart={(price) => void start(price)}
          onSignUp={() => {
            void keepDraft()
            setAsking(true)
          }}
          onTopUp={() => void keepDraft().then(() => navigate('/pricing', { state: { from: facts.route } }))}
        />
      )
    }
    return (
      <div>
        <PageHeader title={i18n._(facts.label)}>{i18n._(words.tagline)}</PageHeader>
        <div className="worktable min-h-0">
          <DropZone
            over={over}
            inputId={picker}
            onFiles={(files) => void choose(files)}
            onSampleFailed={() => showSnackbar('error', t`Contoh belum bisa dibuka. Periksa internetmu, ya.`)}
          />
          <div className="worktable-sheet flex flex-col gap-3 max-lg:hidden lg:gap-5">
            <Options panel={panel} desk={desk} onChange={change} area={null} />
            <StartButton
              panel={panel}
              params={desk.params}
              count={1}
              busy={false}
              onStart={askForPicture}
              onSignUp={askForPicture}
              onTopUp={() => navigate('/pricing', { state: { from: facts.route } })}
            />
          </div>
        </div>
      </div>
    )
  }

  return (
    <div className="page pb-16">
      <input
        id={picker}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label={t`Pilih foto`}
        onChange={(event) => {
          void choose([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      {problems.length > 0 && <Problems sentences={problems} onClose={() => setProblems([])} />}
      {stage()}
      <div className="mt-12 grid gap-12 md:mt-16 md:gap-16">
        {signedIn && <RecentResults panel={panel} shown={result} />}
        <Guide steps={words.steps} />
      </div>
      <SignUpSheet open={asking && !signedIn} onClose={() => setAsking(false)} route={facts.route} />
    </div>
  )
}

function Problems({ sentences, onClose }: { sentences: string[]; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <div role="alert" className="mt-4 flex items-start gap-3 rounded-box bg-error/12 py-1 pr-1 pl-4">
      <TriangleAlert aria-hidden className="mt-3 size-5 shrink-0 text-error" />
      <div className="min-w-0 flex-1 py-2.5 leading-relaxed">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p className="text-muted text-sm">{t`Tidak ada kredit yang terpakai.`}</p>
      </div>
      <button type="button" className="btn btn-ghost btn-square" aria-label={t`Tutup pesan`} onClick={onClose}>
        <X aria-hidden className="size-5" />
      </button>
    </div>
  )
}
