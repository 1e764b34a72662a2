import { localKeys } from '#client/storage.ts'
import { isLocalPath } from '#contract/local-path.ts'
import { landingPages } from '#contract/pages.ts'
import type { AuthUser } from '#contract/session.ts'

/** The target that navigation state carries. */
export function targetOf(state: unknown): string | null {
  const from = (state as { from?: unknown } | null)?.from
  return isLocalPath(from) ? from : null
}

/** Landing page after signing in. */
export function landingOf(user: Pick<AuthUser, 'role'>, target: string | null): string {
  return (user.role === 'user' && target) || landingPages[user.role]
}

/** Stores the target while the user reads the verification mail, which opens the app anew. */
export function keepTarget(target: string | null): void {
  if (target !== null) localStorage.setItem(localKeys.afterSignUp, target)
}

/** Returns the stored target and deletes it. */
export function takeKeptTarget(): string | null {
  const target = localStorage.getItem(localKeys.afterSignUp)
  localStorage.removeItem(localKeys.afterSignUp)
  return isLocalPath(target) ? target : null
}
