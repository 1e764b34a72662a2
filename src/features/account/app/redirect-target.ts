import { localKeys } from '#client/storage.ts'
import { isLocalPath } from '#shared/local-path.ts'
import { landingPages } from '#shared/pages.ts'
import type { AuthUser } from '#shared/session.ts'

export function targetOf(state: unknown): string | null {
  const from = (state as { from?: unknown } | null)?.from
  return isLocalPath(from) ? from : null
}

export function landingOf(user: Pick<AuthUser, 'role'>, target: string | null): string {
  return (user.role === 'user' && target) || landingPages[user.role]
}

/** The verification mail opens the app anew. */
export function storeTarget(target: string | null): void {
  if (target !== null) localStorage.setItem(localKeys.afterSignUp, target)
}

export function takeStoredTarget(): string | null {
  const target = localStorage.getItem(localKeys.afterSignUp)
  localStorage.removeItem(localKeys.afterSignUp)
  return isLocalPath(target) ? target : null
}
