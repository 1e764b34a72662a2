import { localKeys } from '#client/storage.ts'
import { landingPages } from '#contract/pages.ts'
import type { AuthUser } from '#contract/session.ts'

/** An address within the app, or null: what comes from outside may not send people elsewhere. */
function inApp(value: unknown): string | null {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : null
}

/** The target that navigation state carries. */
export function targetOf(state: unknown): string | null {
  return inApp((state as { from?: unknown } | null)?.from)
}

/** Where a person goes after signing in. */
export function landingOf(user: Pick<AuthUser, 'role'>, target: string | null): string {
  return (user.role === 'user' && target) || landingPages[user.role]
}

/** Keeps the target while somebody reads the verification mail, which opens the app anew. */
export function keepTarget(target: string | null): void {
  if (target !== null) localStorage.setItem(localKeys.afterSignUp, target)
}

/** The kept target, once. */
export function takeKeptTarget(): string | null {
  const target = inApp(localStorage.getItem(localKeys.afterSignUp))
  localStorage.removeItem(localKeys.afterSignUp)
  return target
}
