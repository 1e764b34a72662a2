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
import { type DeskChange, deskOf, freshPictures } from './desk.ts'
import { Editor } from './editor.tsx'
import { EmptyTable } from './empty-table.tsx'
import { GenerationStage } from './generation-stage.tsx'
import { Guide } from './guide.tsx'
import { Problems } from './problems.tsx'
import { RecentResults } from './recent-results.tsx'
import { SignUpSheet } from './sign-up-sheet.tsx'
import { UploadStage } from './upload-stage.tsx'
import { useChoosing } from './use-choosing.ts'
import { useRunning } from './use-running.ts'

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
  const [asking, setAsking] = useState(false)
  const { problems, forget, choose, over } = useChoosing(panel)
  const { busy, start, sent } = useRunning(panel)
  const picker = useId()
  const result = search.get('result')
  const change = useCallback(
    (part: DeskChange) => setDesk((now) => ({ ...now, ...(typeof part === 'function' ? part(now) : part) })),
    [setDesk],
  )
  usePageTitle(i18n._(facts.label))
  useBusy(desk.pictures.length > 0)

  // Somebody came back to the plain address of the tool after a finished run: a fresh table.
  const finished = result === null && desk.runs.length === 1 && desk.runs[0]?.generation !== null
  useEffect(() => {
    if (finished) change(freshPictures)
  }, [finished, change])

  const only = desk.runs.length === 1 ? desk.runs[0] : undefined
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
      files: desk.pictures.map(({ original, name }) => new File([original], name, { type: original.type })),
    })
  const topUp = () => navigate('/pricing', { state: { from: facts.route } })

  function stage() {
    if (result) {
      const run = desk.runs.find(({ generation }) => generation === result)
      const local = desk.pictures.find(({ id }) => id === run?.picture)
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
          onTopUp={() => void keepDraft().then(topUp)}
        />
      )
    }
    return (
      <EmptyTable
        panel={panel}
        desk={desk}
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
