import { useLingui } from '@lingui/react/macro'
import { useSearchParams } from 'wouter'
import '../studio.css'
import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect, useRef } from 'react'
import { lazyWithTexts } from '#client/lazy.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { OpenQueueButton } from '#features/uploads/app/uploads.ts'
import { LinkButton } from '#ui/button.tsx'
import { EmptyIllustration } from '#ui/empty-illustration.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { StudioSkeleton } from '#ui/skeleton.tsx'
import { HistoryList } from './history-list.tsx'

const HistoryDetail = lazyWithTexts(() => import('./history-detail.tsx'), 'HistoryDetail', <StudioSkeleton />)

/** `children`: other features' work, above the list. */
export function HistoryPage({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const [search, setSearch] = useSearchParams()
  const shown = search.get('id')
  const scrolled = useRef(0)
  useEffect(() => {
    if (shown || scrolled.current > 0) window.scrollTo(0, shown ? 0 : scrolled.current)
  }, [shown])

  const open = (id: string | null) => {
    if (id) {
      scrolled.current = window.scrollY
      search.set('id', id)
    } else search.delete('id')
    setSearch(search)
  }
  return (
    <div className="page pb-16">
      {!signedIn ? (
        <>
          <PageHeader title={t`Riwayat`} />
          <EmptyState
            picture={<EmptyIllustration className="w-44" />}
            title={t`Masuk untuk melihat hasilmu`}
            action={
              <LinkButton size="lg" to="/login" state={{ from: shown ? `/history?id=${shown}` : '/history' }}>
                {t`Masuk`}
              </LinkButton>
            }
          >
            {t`Semua foto yang kamu edit tersimpan di sini selama 30 hari.`}
          </EmptyState>
        </>
      ) : shown ? (
        <HistoryDetail id={shown} onClose={() => open(null)} />
      ) : (
        <>
          <HistoryList onOpen={open}>{children}</HistoryList>
          <p className="mt-10 flex flex-wrap items-center justify-center gap-x-2 text-muted text-sm">
            {t`Ada unggahan yang belum terkirim di perangkat lain?`}
            <OpenQueueButton />
          </p>
        </>
      )}
    </div>
  )
}
