import { localKeys } from '#client/storage.ts'
import { landingPages } from '#contract/pages.ts'
import type { AuthUser } from '#contract/session.ts'

/** A path within the app, or null: external input must not redirect elsewhere. */
function inApp(value: unknown): string | null {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : null
}

/** Redirect target in navigation state. */
export function targetOf(state: unknown): string | null {
  return inApp((state as { from?: unknown } | null)?.from)
}

/** Landing page after signing in. */
export function landingOf(user: Pick<AuthUser, 'role'>, target: string | null): string {
  return (user.role === 'user' && target) || landingPages[user.role]
}

/** Stores the target while the user reads the verification mail, which opens the app anew. */
export function keepTarget(target: string | null): void {
  if (target !== null) localStorage.setItem(localKeys.afterSignUp, target)
}

/** The stored target, once. */
export function takeKeptTarget(): string | null {
  const target = inApp(localStorage.getItem(localKeys.afterSignUp))
  localStorage.removeItem(localKeys.afterSignUp)
  return target
}
