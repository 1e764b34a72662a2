import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Component, type ReactNode, useEffect, useRef } from 'react'
import { checkConnection, onlineAtom } from '#client/connection.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

function Failed() {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  const missed = useRef(false)
  useEffect(checkConnection, [])
  // A part that could not be loaded is asked for again by a new page alone.
  useEffect(() => {
    if (online && missed.current) window.location.reload()
    missed.current ||= !online
  }, [online])
  return (
    <div role="alert" className="page">
      <EmptyState
        heading="h1"
        title={t`Halaman ini belum bisa dibuka`}
        action={<Button onClick={() => window.location.reload()}>{t`Coba lagi`}</Button>}
      >
        {online
          ? t`Terjadi kesalahan. Pekerjaanmu tetap tersimpan.`
          : t`Kamu sedang offline dan halaman ini belum tersimpan di perangkat.`}
      </EmptyState>
    </div>
  )
}

/**
 * Keeps the shell standing when a screen fails, e.g. because it could not be loaded. Give it the
 * path as key, so that the next page starts anew.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed /> : this.props.children
  }
}
