import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { ArrowLeft, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { onlineAtom } from '#client/connection.ts'

/**
 * A picture and what can be done with it, in the whole window. Its parts keep their place whatever
 * they hold.
 */
export function StudioLayout({
  heading,
  back,
  actions,
  stage,
  notes,
  footer,
  children,
}: {
  heading: ReactNode
  /** The way out; to the home page unless given. */
  back?: ReactNode
  actions?: ReactNode
  stage: ReactNode
  /** What should be known before looking. */
  notes?: ReactNode
  /** The one button; it stays in sight. */
  footer?: ReactNode
  /** Options, or how it goes. */
  children?: ReactNode
}) {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  return (
    <div className="studio-layout">
      <div className="studio-bar">
        {back ?? (
          <Link to="/" className="btn btn-ghost btn-square size-11" aria-label={t`Ke beranda`}>
            <ArrowLeft aria-hidden className="size-5.5" />
          </Link>
        )}
        <h1 className="studio-title">{heading}</h1>
        {!online && (
          <span className="studio-offline badge badge-neutral badge-sm gap-1.5 rounded-full font-semibold" aria-hidden>
            <WifiOff className="size-4" />
            <span className="max-lg:hidden">{t`Offline`}</span>
          </span>
        )}
        {actions}
      </div>
      <div className="studio-stage">{stage}</div>
      <div className="studio-sheet">
        <div className="studio-options">
          {notes}
          {children}
        </div>
        {footer && <div className="studio-action">{footer}</div>}
      </div>
    </div>
  )
}
