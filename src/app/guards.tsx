import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { dutyAtom, isAuthenticatedAtom, userAtom } from '#client/session.ts'

/** Screens for people who are signed in; others sign in first and come back. */
export function SignedIn({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const search = useSearch()
  const from = search === '' ? path : `${path}?${search}`
  return useAtomValue(isAuthenticatedAtom) ? children : <Redirect to="/login" state={{ from }} replace />
}

/** The admin area: visitors sign in first, users go home, designers to the board. */
export function StaffOnly({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const user = useAtomValue(userAtom)
  const duty = useAtomValue(dutyAtom)
  if (!user) return <Redirect to="/login" state={{ from: path }} replace />
  if (user.role === 'user') return <Redirect to="/" replace />
  // The profile says why, and how to set it up.
  if (duty === 'second_factor') return <Redirect to="/profile" replace />
  if (user.role === 'designer' && path !== '/admin/request-custom')
    return <Redirect to="/admin/request-custom" replace />
  return children
}
