import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { isAuthenticatedAtom, userAtom } from './session.ts'

/** Screens for people who are signed in; others sign in first and come back. */
export function SignedIn({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const search = useSearch()
  const from = search === '' ? path : `${path}?${search}`
  return useAtomValue(isAuthenticatedAtom) ? children : <Redirect to="/login" state={{ from }} replace />
}

/** The admin guard (specification §6). */
export function StaffOnly({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const user = useAtomValue(userAtom)
  if (!user) return <Redirect to="/login" state={{ from: path }} replace />
  if (user.role === 'user') return <Redirect to="/" replace />
  if (user.role === 'designer' && path !== '/admin/request-custom')
    return <Redirect to="/admin/request-custom" replace />
  return children
}
