import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Component, type ReactNode, useEffect, useRef } from 'react'
import { checkConnection, onlineAtom } from '#client/connection.ts'
import { retryUntilLoaded } from '#client/retry-until-loaded.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

type Again = () => Promise<unknown>

function Failed({ again }: { again: Again | undefined }) {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  const missed = useRef(false)
  useEffect(checkConnection, [])
  useEffect(() => {
    let shown = true
    if (again)
      void retryUntilLoaded(again, undefined, () => shown).then(
        () => shown && window.location.reload(),
        () => undefined,
      )
    return () => {
      shown = false
    }
  }, [again])
  // Some browsers do not request a failed module twice; a reload gets everything.
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

/** Use the path as key, so that the next page starts afresh. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state: { failed: boolean; again?: Again | undefined } = { failed: false }

  static getDerivedStateFromError(error: { again?: Again } | undefined) {
    return { failed: true, again: error?.again }
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed again={this.state.again} /> : this.props.children
  }
}
