import { and, asc, eq, isNull } from 'drizzle-orm'
import { account } from '#features/account/server/account.ts'
import type { AccountDeps, AccountHooks } from '#server/account-hooks.ts'
import { guardianConsents, users } from '#server/auth/table.ts'
import { formatWib, translate } from '#server/i18n.ts'
import type { MailDefinition, MailDeps, PendingMail } from '#server/mail/mail-definition.ts'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { closesAfter, guardianPath } from '../rules.ts'
import { awaitGuardian } from './own-age.ts'
import { workGuardians } from './remind-guardians.ts'

const personalData: PersonalData = {
  async *archive({ db }, { userId }) {
    const found = await db
      .select()
      .from(guardianConsents)
      .where(eq(guardianConsents.userId, userId))
      .orderBy(asc(guardianConsents.createdAt))
    if (found.length === 0) return
    // The guardian's network address is the guardian's own.
    const shown = found.map(({ id: _, userId: __, givenFrom: ___, ...consent }) => consent)
    yield jsonFile('guardian.json', shown)
  },
  async erase(tx, { userId }) {
    await tx.delete(guardianConsents).where(eq(guardianConsents.userId, userId))
    return []
  },
}

/** Undefined once the guardian has decided, or the minor has named another one. */
async function openConsent({ db, config }: MailDeps, { userId, to }: Pick<PendingMail, 'userId' | 'to'>) {
  const [open] = await db
    .select({ consent: guardianConsents, account: users.email })
    .from(guardianConsents)
    .innerJoin(users, and(eq(users.id, guardianConsents.userId), isNull(users.disabledAt)))
    .where(and(eq(guardianConsents.userId, userId), isNull(guardianConsents.givenAt)))
  if (!open || !config.age) return undefined
  const { guardianEmail, waitingSince, remindedAt } = open.consent
  const days = config.age.guardianDays
  // The server may have been off when the reminder was due.
  const closesAt = remindedAt ? new Date(remindedAt.getTime() + days * 86_400_000) : closesAfter(waitingSince, days)
  return { isTo: guardianEmail === to, account: open.account, closesAt }
}

const toGuardian: MailDefinition = {
  cause: 'guardian',
  async content(deps, pending) {
    const open = await openConsent(deps, pending)
    if (!open?.isTo) return null
    const { userId, to: email, language } = pending
    const token = await account.makeToken(deps.db, { userId, purpose: 'guardian_consent', email, now: deps.clock() })
    return {
      path: guardianPath(token),
      values: { account: open.account, when: formatWib(open.closesAt, language) },
    }
  },
}

/** After the account is erased; only the reason stays with its row. */
const farewell = (cause: 'farewell' | 'guardian_farewell'): MailDefinition => ({
  cause,
  async content({ db }, { userId, language }) {
    const [user] = await db.select({ closing: users.closing }).from(users).where(eq(users.id, userId))
    if (!user?.closing) return null
    return { path: '/', values: { reason: translate(language, `mail.closing.${user.closing}`) } }
  },
})

const mails = {
  guardian_asked: toGuardian,
  guardian_reminder: toGuardian,
  guardian_waiting: {
    cause: 'account',
    async content(deps, pending) {
      const open = await openConsent(deps, pending)
      return open ? { path: '/', values: { when: formatWib(open.closesAt, pending.language) } } : null
    },
  },
  guardian_consented: {
    cause: 'guardian',
    async content({ db, clock }, { userId, to: email }) {
      const [user] = await db.select({ account: users.email }).from(users).where(eq(users.id, userId))
      const token = await account.makeToken(db, { userId, purpose: 'guardian_revocation', email, now: clock() })
      return user ? { path: guardianPath(token), values: { account: user.account } } : null
    },
  },
  guardian_allowed: { cause: 'account', content: async () => ({ path: '/' }) },
  guardian_closed: farewell('guardian_farewell'),
  account_closed: farewell('farewell'),
} satisfies Record<string, MailDefinition>

const verified: AccountHooks['verified'][number] = (tx, { userId, now, config }) =>
  awaitGuardian(tx, config, { userId, now })

async function work(deps: AccountDeps): Promise<void> {
  await deps.jobs.every('guardian-consents', 900, (signal) => workGuardians(deps, signal))
}

export const guardianContributions = { mails, personalData, verified, work }
