import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import { users } from '#server/auth/table.ts'
import { isDatabaseOutage } from '#server/db/errors.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'

/**
 * `0` if the link never works, `later` during maintenance or without database, since the link stays
 * valid. Rethrows the error for clients other than browsers, and unexpected errors.
 */
export function failedLinkResult(c: Context, error: unknown): '0' | 'later' {
  if (!c.req.header('accept')?.includes('text/html')) throw error
  if (isDatabaseOutage(error)) return 'later'
  if (!(error instanceof AppError)) throw error
  if (error.status === 503) return 'later'
  if (error.status >= 500) throw error
  return '0'
}

/**
 * Returns only at the end of a fixed interval, so that the response time does not reveal which
 * addresses have an account.
 */
export async function respondInConstantTime<Result>(
  { config }: Pick<Deps, 'config'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { responseInterval } = config.signInCosts
  const start = performance.now()
  try {
    return await work()
  } finally {
    await pause(responseInterval - ((performance.now() - start) % responseInterval))
  }
}

type LinkDeps = Pick<Deps, 'db' | 'clock'>

/** An unknown address gets no mail and the same response. */
async function requestLink(
  { db, clock }: LinkDeps,
  template: 'reset_password' | 'verify_email',
  email: string,
  which?: SQL,
): Promise<void> {
  await transact(db, async (tx) => {
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.email, email), isNull(users.disabledAt), which))
    if (user) await enqueueMail(tx, { template, userId: user.id, now: clock() })
  })
}

export const forgotPassword = (deps: LinkDeps, email: string) => requestLink(deps, 'reset_password', email)

export const resendConfirmation = (deps: LinkDeps, email: string) =>
  requestLink(deps, 'verify_email', email, isNull(users.emailVerifiedAt))
