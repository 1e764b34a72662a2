import '../studio.css'
import { useLingui } from '@lingui/react/macro'
import { useAtom, useAtomValue } from 'jotai'
import { useCallback, useEffect, useId, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { saveDraft } from '#app/draft.ts'
import { useBusy } from '#app/offline/busy.ts'
import { isAuthenticatedAtom } from '#app/session.ts'
import { usePageTitle } from '#app/ui/page-title.ts'
import type { AnyToolPanel } from '#tools/panel.ts'
import { findToolPanel } from '#tools/panels.ts'
import { Batch } from './batch.tsx'
import { Editor } from './editor.tsx'
import { EmptyStudio } from './empty-studio.tsx'
import { GenerationStage } from './generation-stage.tsx'
import { Guide } from './guide.tsx'
import { Problems } from './problems.tsx'
import { RecentResults } from './recent-results.tsx'
import { SignUpSheet } from './sign-up-sheet.tsx'
import { freshPictures, type StudioChange, studioStateOf } from './studio-state.ts'
import { UploadStage } from './upload-stage.tsx'
import { useAddPictures } from './use-add-pictures.ts'
import { useStartRuns } from './use-start-runs.ts'

/** The page of a tool by its id. */
export function StudioPage({ tool }: { tool: string }) {
  const panel = findToolPanel(tool)
  return panel ? <Studio key={tool} panel={panel} /> : null
}

/** Choose, set, run, compare, change, take away. */
function Studio({ panel }: { panel: AnyToolPanel }) {
  const { t, i18n } = useLingui()
  const { facts, words } = panel
  const [state, setState] = useAtom(studioStateOf(panel))
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const [asking, setAsking] = useState(false)
  const { problems, forget, choose, over } = useAddPictures(panel)
  const { busy, start, sent } = useStartRuns(panel)
  const picker = useId()
  const result = search.get('result')
  const change = useCallback(
    (part: StudioChange) => setState((now) => ({ ...now, ...(typeof part === 'function' ? part(now) : part) })),
    [setState],
  )
  usePageTitle(i18n._(facts.label))
  useBusy(state.pictures.length > 0)

  // Somebody came back to the plain address of the tool after a finished run: start empty.
  const finished = result === null && state.runs.length === 1 && state.runs[0]?.generation !== null
  useEffect(() => {
    if (finished) change(freshPictures)
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
    change(freshPictures)
    forget()
    setSearch({})
  }
  const keepDraft = () =>
    saveDraft({
      tool: facts.id,
      files: state.pictures.map(({ original, name }) => new File([original], name, { type: original.type })),
    })
  const topUp = () => navigate('/pricing', { state: { from: facts.route } })

  function stage() {
    if (result) {
      const run = state.runs.find(({ generation }) => generation === result)
      const local = state.pictures.find(({ id }) => id === run?.picture)
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
          onDeleted={state.runs.length > 1 ? () => window.history.back() : startAgain}
        />
      )
    }
    if (only && only.generation === null) {
      return (
        <UploadStage
          panel={panel}
          id={only.upload}
          picture={state.pictures.find(({ id }) => id === only.picture)}
          onSent={onlySent}
          onBack={() => change({ runs: [] })}
        />
      )
    }
    if (state.runs.length > 1) {
      return (
        <Batch
          panel={panel}
          runs={state.runs}
          onOpen={(id) => setSearch({ result: id })}
          onSent={sent}
          onDone={startAgain}
        />
      )
    }
    if (state.pictures.length > 0) {
      return (
        <Editor
          panel={panel}
          state={state}
          busy={busy}
          onChange={change}
          onAdd={() => document.getElementById(picker)?.click()}
          onStartAgain={startAgain}
          onStart={(price) => void start(price)}
          onSignUp={() => {
            void keepDraft()
            setAsking(true)
          }}
          onTopUp={() => void keepDraft().then(topUp)}
        />
      )
    }
    return (
      <EmptyStudio
        panel={panel}
        state={state}
        over={over}
        picker={picker}
        onChange={change}
        onFiles={(files) => void choose(files)}
        onTopUp={topUp}
      />
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
      {problems.length > 0 && <Problems sentences={problems} onClose={forget} />}
      {stage()}
      <div className="mt-12 grid gap-12 md:mt-16 md:gap-16">
        {signedIn && <RecentResults panel={panel} shown={result} />}
        <Guide steps={words.steps} />
      </div>
      <SignUpSheet open={asking && !signedIn} onClose={() => setAsking(false)} route={facts.route} />
    </div>
  )
}
