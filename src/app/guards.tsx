import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { isAuthenticatedAtom, requiredActionAtom, userAtom } from '#client/session.ts'
import { landingPages, type PageDetails } from '#contract/pages.ts'

/** Shows a page to whom it is for; others sign in first and come back, or go where they may. */
export function Guard({ access, children }: { access: PageDetails['access']; children: ReactNode }) {
  const [path] = useLocation()
  const search = useSearch()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const user = useAtomValue(userAtom)
  const action = useAtomValue(requiredActionAtom)
  if (!access) return children
  const from = search === '' ? path : `${path}?${search}`
  if (!signedIn || !user) return <Redirect to="/login" state={{ from }} replace />
  if (access === 'signed-in') return children
  if (user.role === 'user') return <Redirect to={landingPages.user} replace />
  // The profile says why, and how to set it up.
  if (action === 'second_factor') return <Redirect to="/profile" replace />
  if (access === 'admin' && user.role !== 'admin') return <Redirect to={landingPages[user.role]} replace />
  return children
}
