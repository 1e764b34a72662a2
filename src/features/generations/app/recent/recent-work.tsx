import '../studio.css'
import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { formatAge } from '#client/format.ts'
import { UploadListSheet, useUploads } from '#features/uploads/app/uploads.ts'
import { isOpenStatus } from '../../rules.ts'
import type { GenerationView } from '../../schemas.ts'
import { GenerationTile, TileCaption, tileGrid, UploadButton } from '../history/tile.tsx'
import { LowCredits } from '../low-credits/low-credits.tsx'
import { historyQuery } from '../queries.ts'

const shownResults = 8

function Row({ id, title, more, children }: { id: string; title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <div className="mb-3 flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2 id={id} className="font-bold text-xl">
          {title}
        </h2>
        {more}
      </div>
      <ul
        className={`${tileGrid} max-md:-mx-(--page-side) max-md:auto-cols-[9.5rem] max-md:grid-flow-col max-md:grid-cols-none max-md:overflow-x-auto max-md:px-(--page-side) max-md:pb-2`}
      >
        {children}
      </ul>
    </section>
  )
}

function Tile({ generation }: { generation: GenerationView }) {
  const [, navigate] = useLocation()
  return (
    <li>
      <GenerationTile
        generation={generation}
        onOpen={() => navigate(`/history?id=${generation.id}`)}
        caption={<TileCaption tool={generation.tool}>{formatAge(generation.createdAt)}</TileCaption>}
      />
    </li>
  )
}

export function RecentWork() {
  const { t } = useLingui()
  const [listing, setListing] = useState(false)
  const { data } = useInfiniteQuery(historyQuery())
  const uploads = useUploads().filter(({ state }) => state !== 'sent')
  const items = data?.pages[0]?.items ?? []
  const running = items.filter(({ status }) => isOpenStatus(status))
  const results = items.filter(({ status, thumbnailUrl }) => status === 'succeeded' && thumbnailUrl)
  return (
    <>
      <LowCredits />
      {listing && <UploadListSheet onClose={() => setListing(false)} />}
      {uploads.length + running.length > 0 && (
        <Row id="running" title={t`Sedang dikerjakan`}>
          {uploads.map((upload) => (
            <li key={upload.id}>
              <UploadButton upload={upload} onOpen={() => setListing(true)} />
            </li>
          ))}
          {running.map((generation) => (
            <Tile key={generation.id} generation={generation} />
          ))}
        </Row>
      )}
      {results.length > 0 && (
        <Row
          id="recent-results"
          title={t`Hasil terakhir`}
          more={
            <Link to="/history" className="btn btn-ghost px-0 text-primary-ink">
              <Trans>Lihat semua</Trans>
            </Link>
          }
        >
          {results.slice(0, shownResults).map((generation) => (
            <Tile key={generation.id} generation={generation} />
          ))}
        </Row>
      )}
    </>
  )
}
