import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { apiFetch } from '#client/api.ts'
import { isAuthenticatedAtom, signOut, store } from '#client/session.ts'
import { ownNavigation } from '#shared/session.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { ScreenSpinner } from '#ui/logo.tsx'

function openedByAnotherSite(): boolean {
  const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (opening && new URL(opening.name).pathname !== window.location.pathname) return false
  return !opening?.serverTiming?.some(({ name }) => name === ownNavigation)
}

let mustConfirm = openedByAnotherSite()

/**
 * Asks for confirmation while pictures wait for upload (`countWaiting`), which would be lost, and
 * when another site may have opened the page.
 */
export function LogoutPage({ countWaiting }: { countWaiting: () => Promise<number> }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const [waiting, setWaiting] = useState<number | null>(null)
  const [decided, setDecided] = useState(() => !mustConfirm || !store.get(isAuthenticatedAtom))
  useEffect(() => {
    mustConfirm = false
    void countWaiting().then(setWaiting)
  }, [countWaiting])
  const question = waiting !== null && (waiting > 0 || !decided)
  useEffect(() => {
    if (waiting === null || question) return
    // Offline, the token simply expires.
    void apiFetch('/api/logout', { method: 'POST', keepalive: true }).catch(() => undefined)
    void signOut().then(() => navigate('/', { replace: true }))
  }, [waiting, question, navigate])
  const stay = () => navigate('/history', { replace: true })
  const leave = () => {
    setDecided(true)
    setWaiting(0)
  }
  return (
    <>
      <ScreenSpinner />
      <Dialog open={question} onClose={stay} title={t`Keluar sekarang?`}>
        <p className="mb-6 leading-relaxed">
          {waiting ? (
            <>
              <Plural value={waiting} other="# foto belum terkirim." />{' '}
              <Trans>
                Kalau kamu keluar, foto yang menunggu dihapus dari perangkat ini. Hasil yang sudah jadi tetap ada di
                riwayat.
              </Trans>
            </>
          ) : (
            <Trans>Kamu membuka halaman ini lewat tautan. Hasilmu tetap ada di riwayat saat kamu masuk lagi.</Trans>
          )}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="outline" onClick={leave}>
            {waiting ? t`Hapus dan keluar` : t`Keluar`}
          </Button>
          <Button onClick={stay}>{t`Tetap masuk`}</Button>
        </div>
      </Dialog>
    </>
  )
}
