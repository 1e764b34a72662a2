import { desc, eq } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Executor } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { type AgeBand, type GuardianState, guardianConsentVersion, youngestAge } from '#shared/age.ts'
import type { AgeConfig } from './age-config.ts'
import { guardianConsents, users } from './table.ts'

export interface AgeStanding {
  birthYear: number | null
  band: AgeBand
  guardian: GuardianState
  guardianEmail: string | null
  /** Start of the wait for the guardian's decision. */
  waitingSince: Date | null
  /** Without a birth year nothing new can be started from then on; null: told, or not asked. */
  dueAt: Date | null
}

type Rules = Pick<Config, 'age'>

/** Undefined for an unknown account. */
export async function readAge(
  executor: Executor,
  { age }: Rules,
  { userId, now }: { userId: string; now: Date },
): Promise<AgeStanding | undefined> {
  const [found] = await executor
    .select({ user: users, consent: guardianConsents })
    .from(users)
    .leftJoin(guardianConsents, eq(guardianConsents.userId, users.id))
    .where(eq(users.id, userId))
    .orderBy(desc(guardianConsents.createdAt), desc(guardianConsents.id))
    .limit(1)
  return found && standingOf(found, age, now)
}

/** `consent` is the newest one. */
export function standingOf(
  {
    user,
    consent,
  }: {
    user: Pick<typeof users.$inferSelect, 'role' | 'birthYear' | 'birthYearDueAt'>
    consent: Pick<typeof guardianConsents.$inferSelect, 'guardianEmail' | 'waitingSince' | 'givenAt' | 'version'> | null
  },
  age: AgeConfig | null,
  now: Date,
): AgeStanding {
  const { birthYear } = user
  const guardianEmail = consent?.guardianEmail ?? null
  const free = { birthYear, guardian: 'not_needed' as const, guardianEmail, waitingSince: null, dueAt: null }
  // The operator knows the staff.
  if (!age || user.role !== 'user') return { ...free, band: 'adult' }
  if (birthYear === null) return { ...free, band: 'unknown', dueAt: user.birthYearDueAt }
  if (youngestAge(birthYear, now) >= age.adult) return { ...free, band: 'adult' }
  if (!age.needsGuardian) return { ...free, band: 'minor' }
  const isOpen = consent !== null && consent.givenAt === null
  const isGiven = consent?.givenAt != null && consent.version === guardianConsentVersion
  const guardian = isGiven ? 'given' : isOpen && guardianEmail !== null ? 'waiting' : 'unnamed'
  return { ...free, band: 'minor', guardian, waitingSince: isOpen ? consent.waitingSince : null }
}

export const ageErrors = ['age.unknown', 'guardian.consent_required'] as const

/**
 * For everything that starts or publishes something. Throws `age.unknown` once the birth year is
 * due, `guardian.consent_required`, and for `adultsOnly` also `age.adults_only`, which needs a
 * known age.
 */
export async function requireAllowedAge(
  executor: Executor,
  config: Rules,
  { adultsOnly = false, ...who }: { userId: string; now: Date; adultsOnly?: boolean | undefined },
): Promise<void> {
  if (!config.age) return
  const standing = await readAge(executor, config, who)
  if (!standing) return
  const { band, dueAt, guardian } = standing
  if (band === 'unknown' && (adultsOnly || (dueAt && dueAt <= who.now))) throw appError('age.unknown')
  if (adultsOnly && band === 'minor') throw appError('age.adults_only', { details: { age: String(config.age.adult) } })
  if (guardian === 'unnamed' || guardian === 'waiting') throw appError('guardian.consent_required')
}
