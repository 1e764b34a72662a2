import type { ReactNode } from 'react'
import { Link } from 'wouter'

export const linkClass = 'link link-hover font-semibold'

/** A link within text or a table. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={linkClass}>
      {children}
    </Link>
  )
}
