import { and, asc, eq, isNull, lt, type SQL } from 'drizzle-orm'
import { account } from '#features/account/server/account.ts'
import { type AccountDeps, type AccountHooks, jsonFile, type PersonalData } from '#server/account-hooks.ts'
import { readAge } from '#server/auth/age.ts'
import { requireUser } from '#server/auth/require-user.ts'
import { guardianConsents, users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { RateRule } from '#server/http/rate-limit.ts'
import { route } from '#server/http/route.ts'
import { formatWib, translate } from '#server/i18n.ts'
import type { MailDefinition, MailDeps, PendingMail } from '#server/mail/mail-definition.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { addTime } from '#shared/time.ts'
import { closesAfter, guardianPath } from '../rules.ts'
import {
  ageSchema,
  birthYearInput,
  decisionInput,
  guardianInput,
  guardianLinkSchema,
  toldAgeSchema,
} from '../schemas.ts'
import { decideAsGuardian, readGuardianLink, resendRevocation } from './guardian-link.ts'
import {
  awaitGuardian,
  decideClosing,
  eraseClosing,
  findClosing,
  nameGuardian,
  readOwnAge,
  tellBirthYear,
} from './own-age.ts'

const batchSize = 500

/** Reminds once, closes accounts that stay without consent, and ends what a dead process began. */
export async function workGuardians(deps: AccountDeps, signal?: AbortSignal): Promise<void> {
  await sweepOpen(deps, signal)
  for (const userId of await findClosing(deps)) {
    signal?.throwIfAborted()
    // A gateway that cannot cancel an order, for example, must not hold up the others.
    await eraseClosing(deps, userId).catch((error: unknown) =>
      deps.log.error({ err: error, userId }, 'could not erase a closed account'),
    )
  }
}

async function sweepOpen(deps: AccountDeps, signal?: AbortSignal): Promise<void> {
  const { age } = deps.config
  if (!age?.needsGuardian) return
  const now = deps.clock()
  const before = addTime(now, { days: -age.guardianDays })
  const open = isNull(guardianConsents.givenAt)
  const silent = and(open, lt(guardianConsents.waitingSince, before), isNull(guardianConsents.remindedAt))
  // Counted from the reminder, so that a server that was off closes nothing by surprise.
  const late = and(open, lt(guardianConsents.remindedAt, before))
  await forEachOpen(deps, { condition: silent, now, signal }, remind)
  await forEachOpen(deps, { condition: late, now, signal }, (tx, { userId }) =>
    decideClosing(tx, { userId, reason: 'guardian_silent', now }),
  )
}

type OpenConsent = typeof guardianConsents.$inferSelect

async function remind(tx: Transaction, { id, userId, guardianEmail }: OpenConsent, now: Date): Promise<void> {
  await tx.update(guardianConsents).set({ remindedAt: now }).where(eq(guardianConsents.id, id))
  if (guardianEmail !== null)
    await enqueueMail(tx, { template: 'guardian_reminder', userId, recipient: guardianEmail, now })
  await enqueueMail(tx, { template: 'guardian_waiting', userId, now })
}

/** Checks the condition again with the account locked: the guardian may decide meanwhile. */
async function forEachOpen(
  { db, config }: AccountDeps,
  { condition, now, signal }: { condition: SQL | undefined; now: Date; signal: AbortSignal | undefined },
  act: (tx: Transaction, consent: OpenConsent, now: Date) => Promise<void>,
): Promise<void> {
  const found = await db
    .select({ id: guardianConsents.id, userId: guardianConsents.userId })
    .from(guardianConsents)
    .innerJoin(users, and(eq(users.id, guardianConsents.userId), isNull(users.disabledAt)))
    .where(condition)
    .orderBy(asc(guardianConsents.waitingSince))
    .limit(batchSize)
  for (const { id, userId } of found) {
    signal?.throwIfAborted()
    await transact(db, async (tx) => {
      const able = and(eq(users.id, userId), isNull(users.disabledAt))
      const [user] = await tx.select({ id: users.id }).from(users).where(able).for('update')
      const [consent] = await tx
        .select()
        .from(guardianConsents)
        .where(and(eq(guardianConsents.id, id), condition))
      if (!user || !consent) return
      const standing = await readAge(tx, config, { userId, now })
      // Grown up, or staff now.
      if (standing?.guardian === 'not_needed') await tx.delete(guardianConsents).where(eq(guardianConsents.id, id))
      else await act(tx, consent, now)
    })
  }
}

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
  const closesAt = remindedAt ? addTime(remindedAt, { days }) : closesAfter(waitingSince, days)
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

const linkRules = (address: string): RateRule[] => [
  { rule: 'guardian-link:ip', subject: address, limit: 60, seconds: 900 },
]

export function guardianRoutes(deps: AccountDeps) {
  const signedIn = requireUser(deps)
  return [
    route('readAge', 'GET /user/age', signedIn, {
      summary: 'Get your age band and the state of your guardian’s consent',
      output: { 200: ['The standing', ageSchema] },
      handler: (c) => readOwnAge(deps, c.var.user.id),
    }),
    route('tellBirthYear', 'POST /user/age', signedIn, {
      summary: 'Tell your birth year, once; with `close` an account below the minimum age is closed and erased',
      input: { json: birthYearInput },
      limits: (c) => [{ rule: 'birth-year:user', subject: c.var.user.id, limit: 20, seconds: 3600 }],
      output: { 200: ['The standing', toldAgeSchema] },
      errors: ['age.below_minimum', 'age.known'],
      handler: (c) => tellBirthYear(deps, c.var.user.id, c.req.valid('json')),
    }),
    route('nameGuardian', 'POST /user/guardian', signedIn, {
      summary: 'Name your parent or guardian, who is asked by email; repeat to send the email again',
      input: { json: guardianInput },
      limits: (c) => [
        { rule: 'guardian:user', subject: c.var.user.id, limit: 10, seconds: 24 * 3600 },
        ...account.mailRules('guardian', c.var.address, c.req.valid('json').email),
      ],
      output: { 200: ['The standing', ageSchema] },
      errors: ['guardian.not_needed'],
      handler: (c) => nameGuardian(deps, c.var.user, c.req.valid('json').email),
    }),
    route('readGuardianLink', 'GET /guardian_consents/:token', 'visitor', {
      summary: 'Get what a guardian’s emailed link decides',
      limits: (c) => linkRules(c.var.address),
      output: { 200: ['The state', guardianLinkSchema] },
      errors: ['auth.token_invalid'],
      handler: (c) => readGuardianLink(deps, c.req.param('token')),
    }),
    route('decideAsGuardian', 'POST /guardian_consents/:token', 'visitor', {
      summary: 'Consent, refuse or revoke as the guardian; a refusal closes and erases the account',
      input: { json: decisionInput },
      limits: (c) => linkRules(c.var.address),
      output: { 200: ['The state', guardianLinkSchema] },
      errors: ['auth.token_invalid', 'consent.outdated', 'guardian.too_young'],
      handler: (c) => {
        const { address } = c.var
        return decideAsGuardian(deps, { token: c.req.param('token'), address }, c.req.valid('json'))
      },
    }),
    route('resendRevocation', 'POST /guardian_consents/:token/resend', 'visitor', {
      summary: 'Resend the email with the link that revokes the consent, to the guardian',
      limits: (c) => [
        ...linkRules(c.var.address),
        { rule: 'guardian-resend:token', subject: c.req.param('token'), limit: 3, seconds: 24 * 3600 },
      ],
      output: { 204: 'On its way' },
      errors: ['auth.token_invalid'],
      handler: (c) => resendRevocation(deps, c.req.param('token')),
    }),
  ]
}
