import { Plural, useLingui } from '@lingui/react/macro'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Archive, Share2 } from 'lucide-react'
import { useState } from 'react'
import { type Job, needsUserAction, UploadListSheet, useMemoryNote, useUploads } from '#features/uploads/app/uploads.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button } from '#ui/button.tsx'
import { useAction } from '#ui/use-action.ts'
import { isOpenStatus } from '../../rules.ts'
import { GenerationTile, UploadTile } from '../history/tile.tsx'
import { statusBadges } from '../labels.ts'
import type { ChosenPicture } from '../picture.ts'
import { generationQuery } from '../queries.ts'
import { canShareFiles, saveAll, useShare } from '../result/save-picture.ts'
import { useWatched } from '../watched-generations.ts'
import { ReplacedNotice } from './replaced-notice.tsx'
import type { StudioProps } from './studio-state.ts'

const lostJob: Job = { upload: undefined, resultId: null }

export function BatchScreen({
  page,
  state,
  dispatch,
  jobs,
  pictureOf,
  onOpen,
  onOther,
}: StudioProps & {
  jobs: readonly Job[]
  pictureOf: (id: string) => ChosenPicture | undefined
  onOpen: (result: string) => void
  onOther: () => void
}) {
  const { t, i18n } = useLingui()
  const { generations } = state
  const note = useMemoryNote(useUploads())
  const [listing, setListing] = useState(false)
  const arrived = jobs.filter(({ resultId }) => resultId !== null).length
  return (
    <div className="grid grid-cols-1 gap-4 pt-2 md:pt-8">
      <div className="flex min-h-11 flex-wrap items-center gap-2">
        <h1 className="min-w-[min(9rem,100%)] flex-1 font-extrabold text-xl md:text-3xl">
          {i18n._(page.definition.label)}
        </h1>
        <Button variant="soft" onClick={onOther}>
          {t`Foto lain`}
        </Button>
      </div>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="text-muted">
          <Plural value={generations.length} one="# foto" other="# foto" />
          {arrived < generations.length && ` · ${t`${arrived} sudah terkirim`}`}
        </p>
        <AllResults page={page} jobs={jobs} />
      </div>
      <ReplacedNotice page={page} state={state} dispatch={dispatch} />
      {note && <p className="text-sm leading-relaxed">{note}</p>}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5 lg:gap-4">
        {generations.map((generation, index) => (
          <li key={generation.job}>
            <BatchTile
              job={jobs[index] ?? lostJob}
              picture={pictureOf(generation.picture)}
              onOpen={onOpen}
              onList={() => setListing(true)}
            />
          </li>
        ))}
      </ul>
      {listing && <UploadListSheet onClose={() => setListing(false)} />}
    </div>
  )
}

function AllResults({ page, jobs }: { page: AnyToolPage; jobs: readonly Job[] }) {
  const { t } = useLingui()
  const ids = jobs.flatMap(({ resultId }) => resultId ?? [])
  const made = useQueries({ queries: ids.map(generationQuery) }).flatMap(({ data }) => data ?? [])
  const outputs = made.filter(({ status }) => status === 'succeeded').flatMap((generation) => generation.outputs)
  const save = useAction(() => saveAll(outputs, page.definition.id), t`Tersimpan di perangkatmu`)
  const share = useShare(async () => outputs)
  // Pictures that wait for the user must not hold the others back.
  const sending = jobs.some(({ upload, resultId }) => resultId === null && upload && !needsUserAction(upload))
  const open = made.length < ids.length || made.some(({ status }) => isOpenStatus(status))
  if (sending || open || outputs.length < 2) return null
  return (
    <div className="flex flex-wrap gap-2">
      {canShareFiles() && (
        <Button busy={share.isPending} icon={Share2} onClick={() => share.mutate()}>
          {t`Bagikan semua`}
        </Button>
      )}
      <Button
        variant={canShareFiles() ? 'soft' : 'primary'}
        busy={save.isPending}
        icon={Archive}
        onClick={() => save.mutate()}
      >
        {t`Unduh semua (ZIP)`}
      </Button>
    </div>
  )
}

function BatchTile({
  job: { upload, resultId: result },
  picture,
  onOpen,
  onList,
}: {
  job: Job
  picture: ChosenPicture | undefined
  onOpen: (result: string) => void
  onList: () => void
}) {
  const { i18n } = useLingui()
  const url = useObjectUrl(picture?.size ? picture.original : null)
  const { data } = useQuery({ ...generationQuery(result ?? ''), enabled: result !== null })
  useWatched(result)
  if (data) return <GenerationTile generation={data} localUrl={url} onOpen={() => onOpen(data.id)} />
  if (upload && needsUserAction(upload)) {
    return (
      <button type="button" className="grid w-full cursor-pointer gap-1.5 text-left" onClick={onList}>
        <UploadTile upload={upload} localUrl={url} />
        <span className="px-1 text-sm leading-snug">{upload.message}</span>
      </button>
    )
  }
  if (upload) return <UploadTile upload={upload} localUrl={url} />
  if (result) {
    // The upload has arrived; the first event is pending.
    return (
      <span className="relative block aspect-square overflow-hidden rounded-box border border-line/70 bg-base-300 shadow-card">
        {url && <img src={url} alt="" className="size-full thumbnail-picture opacity-70" />}
        <span className="working" />
      </span>
    )
  }
  // Cancelled in the upload list.
  return (
    <p className="grid aspect-square place-items-center rounded-box border border-line/70 text-muted text-sm">
      {i18n._(statusBadges.cancelled)}
    </p>
  )
}
