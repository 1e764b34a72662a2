import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useUpload } from '#app/offline/uploads.ts'
import { Button } from '#app/ui/button.tsx'
import { useObjectUrl } from '#tools/object-url.ts'
import type { AnyToolPage } from '#tools/page.ts'
import { GenerationTile, UploadTile } from '../history/tile.tsx'
import { generationQuery } from '../queries.ts'
import { useWatched } from '../watched.ts'
import { statusWords } from '../words.ts'
import type { Run } from './studio-state.ts'

/** Several pictures at once: each with its own state, opened by a tap when it is ready. */
export function Batch({
  page,
  runs,
  onOpen,
  onSent,
  onDone,
}: {
  page: AnyToolPage
  runs: Run[]
  onOpen: (generationId: string) => void
  onSent: (uploadId: string, generationId: string) => void
  onDone: () => void
}) {
  const { t, i18n } = useLingui()
  const arrived = runs.filter(({ generation }) => generation !== null).length
  return (
    <div className="grid gap-4 pt-2 md:pt-8">
      <div className="flex min-h-11 items-center gap-2">
        <h1 className="min-w-0 flex-1 truncate font-extrabold text-xl md:text-3xl">{i18n._(page.facts.label)}</h1>
        <Button variant="soft" onClick={onDone}>
          {t`Foto lain`}
        </Button>
      </div>
      <p role="status" className="text-muted">
        <Plural value={runs.length} one="# foto" other="# foto" />
        {arrived < runs.length && ` · ${t`${arrived} sudah terkirim`}`}
      </p>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5 lg:gap-4">
        {runs.map(({ upload, generation }) => (
          <li key={upload}>
            {generation ? (
              <GenerationTileById id={generation} onOpen={onOpen} />
            ) : (
              <UploadingTile id={upload} onSent={onSent} />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function UploadingTile({ id, onSent }: { id: string; onSent: (uploadId: string, generationId: string) => void }) {
  const { i18n } = useLingui()
  const { upload, progress, generation } = useUpload(id)
  const generationId = generation?.id ?? upload?.generationId
  const preview = useObjectUrl(upload?.preview)
  useEffect(() => {
    if (generationId) onSent(id, generationId)
  }, [id, generationId, onSent])
  if (upload) return <UploadTile upload={upload} progress={progress} previewUrl={preview} />
  if (generationId) return null
  // Taken back in the tray.
  return (
    <p className="grid aspect-square place-items-center rounded-box border border-line/70 text-muted text-sm">
      {i18n._(statusWords.cancelled)}
    </p>
  )
}

function GenerationTileById({ id, onOpen }: { id: string; onOpen: (id: string) => void }) {
  const { data } = useQuery(generationQuery(id))
  useWatched(id)
  if (!data) return <div className="skeleton aspect-square rounded-box" />
  return <GenerationTile generation={data} onOpen={() => onOpen(id)} />
}
