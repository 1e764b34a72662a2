import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { totpSecrets } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import { limitRate, undoRateHits } from '#server/http/rate-limit.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { codeRules } from '../rate-rules.ts'
import { knownDeviceOf } from '../sessions/known-device.ts'

/** The user gets a notice after each ten wrong codes. */
const noticeAfter = 10

/** Right codes do not count. */
export async function withCodeLimit<Result>(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { userId, address, device }: { userId: string; address: string; device: string | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const rules = codeRules(address, userId, await knownDeviceOf(deps.db, userId, device))
  await limitRate(deps, rules)
  try {
    const result = await work()
    await undoRateHits(deps, rules)
    return result
  } catch (error) {
    if (error instanceof AppError && error.code === 'second_factor.wrong_code') await noteWrongCode(deps, userId)
    throw error
  }
}

async function noteWrongCode({ db, clock }: Pick<Deps, 'db' | 'clock'>, userId: string): Promise<void> {
  await transact(db, async (tx) => {
    const [counted] = await tx
      .update(totpSecrets)
      .set({ wrongCodes: sql`(${totpSecrets.wrongCodes} + 1) % ${noticeAfter}::int` })
      .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)))
      .returning({ sinceNotice: totpSecrets.wrongCodes })
    if (counted?.sinceNotice === 0) await enqueueMail(tx, { template: 'wrong_codes', userId, now: clock() })
  })
}
