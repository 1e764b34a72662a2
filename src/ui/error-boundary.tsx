import { useLingui } from '@lingui/react/macro'
import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

function Failed() {
  const { t } = useLingui()
  return (
    <div role="alert" className="page">
      <EmptyState
        heading="h1"
        title={t`Halaman ini belum bisa dibuka`}
        action={<Button onClick={() => window.location.reload()}>{t`Coba lagi`}</Button>}
      >
        {navigator.onLine
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
