import { asc, desc, eq } from 'drizzle-orm'
import { type AccountDeps, jsonFile, type PersonalData } from '#server/account-hooks.ts'
import { eraseReasons, securityLog } from '#server/audit/audit.ts'
import { hasTotp } from '#server/auth/factors.ts'
import { deviceName, revokeSessions } from '#server/auth/sessions.ts'
import { accountTokens, apiKeys, consents, passkeys, sessions, totpSecrets, users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { formatWib, translate } from '#server/i18n.ts'
import type { MailDefinition, MailDeps, PendingMail } from '#server/mail/mail-definition.ts'
import { withdrawAllMails } from '#server/mail/outbox.ts'
import { sentMails } from '#server/mail/table.ts'
import type { Language } from '#shared/language.ts'
import { providerNames, verificationCodeMinutes } from '../rules.ts'
import { type AccountTokenPurpose, makeAccountToken } from './account-token.ts'
import { apiKeyRoutes, listApiKeys } from './api-keys.ts'
import { listPasskeys } from './passkeys/passkeys.ts'
import { profileRoutes } from './profile/profile-routes.ts'
import { providerRoutes } from './providers/provider-routes.ts'
import { deleteUnverified } from './registration/register.ts'
import { makeVerification } from './registration/verify-email.ts'
import { removalDue, removeDueFactors } from './second-factor/factor-removal.ts'
import { secondFactorRoutes } from './second-factor/second-factor-routes.ts'
import { resealTotpSecrets } from './second-factor/totp.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { adminAccountRoutes } from './staff/admin-routes.ts'
import type { SummarySources } from './staff/admin-users.ts'
import { identities, knownDevices, passkeyChallenges, recoveryCodes } from './table.ts'

const accountData: PersonalData = {
  async *archive({ db }, { userId }) {
    const [user] = await db.select().from(users).where(eq(users.id, userId))
    if (!user) return
    const { id, name, email, role, language, theme, birthYear, emailVerifiedAt, createdAt, note, tags } = user
    const linked = await db.select().from(identities).where(eq(identities.userId, userId))
    yield jsonFile('profile.json', {
      id,
      name,
      email,
      role,
      language,
      theme,
      birthYear,
      emailVerifiedAt,
      createdAt,
      notedByStaff: { note, tags },
      hasPassword: user.passwordHash !== null,
      passkeys: await listPasskeys(db, userId),
      apiKeys: await listApiKeys(db, userId),
      twoStepSignIn: await hasTotp(db, userId),
      providers: linked.map(({ provider, subject, createdAt: since }) => ({ provider, subject, since })),
    })
    const opened = await db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(desc(sessions.createdAt))
    yield jsonFile(
      'sessions.json',
      opened.map(({ userId: _, ...session }) => ({ ...session, device: deviceName(session.userAgent) })),
    )
    const mailed = await db.select().from(sentMails).where(eq(sentMails.userId, userId)).orderBy(desc(sentMails.sentAt))
    yield jsonFile(
      'mails.json',
      mailed.map(({ template, sentAt }) => ({ template, sentAt })),
    )
    const agreed = await db.select().from(consents).where(eq(consents.userId, userId)).orderBy(asc(consents.givenAt))
    yield jsonFile(
      'consents.json',
      agreed.map(({ kind, version, givenAt, withdrawnAt }) => ({ kind, version, givenAt, withdrawnAt })),
    )
  },

  async erase(tx, { userId, now }) {
    // Must run before the sessions are deleted: every connection of this user receives the order to
    // close.
    await revokeSessions(tx, { userId, now })
    for (const table of [
      sessions,
      accountTokens,
      identities,
      consents,
      knownDevices,
      totpSecrets,
      recoveryCodes,
      passkeys,
      passkeyChallenges,
      apiKeys,
    ]) {
      await tx.delete(table).where(eq(table.userId, userId))
    }
    await withdrawAllMails(tx, userId)
    await securityLog.detach(tx, userId)
    await eraseReasons(tx, { kind: 'account', id: userId })
    await tx
      .update(users)
      .set({
        name: '',
        // Not a valid address, so that no visitor can register it or receive its mails.
        email: `deleted:${userId}`,
        passwordHash: null,
        role: 'user',
        duty: null,
        note: '',
        tags: [],
        theme: null,
        birthYear: null,
        emailVerifiedAt: null,
        disabledAt: now,
        deletedAt: now,
      })
      .where(eq(users.id, userId))
    return []
  },
}

const linkTo =
  (page: string): MailDefinition['content'] =>
  async () => ({ path: page })

const notice = { cause: 'account', content: linkTo('/forgot-password') } as const satisfies MailDefinition

const accountMails = {
  verify_email: {
    cause: 'typed_address',
    async content(deps, pending) {
      const [user] = await deps.db
        .select({ verified: users.emailVerifiedAt })
        .from(users)
        .where(eq(users.id, pending.userId))
      if (!user || user.verified) return null
      const { token, code } = await makeVerification(deps.db, deps.config, {
        userId: pending.userId,
        now: deps.clock(),
      })
      return { path: `/api/verify_email/${token}`, values: { code, minutes: String(verificationCodeMinutes) } }
    },
  },
  reset_password: {
    cause: 'typed_address',
    content: async (deps, pending) => ({ path: `/reset-password/${await token(deps, pending, 'reset_password')}` }),
  },
  verify_new_email: {
    cause: 'typed_address',
    content: async (deps, pending) => ({ path: `/api/confirm_email/${await token(deps, pending, 'change_email')}` }),
  },
  address_in_use: { cause: 'typed_address', content: linkTo('/login') },
  password_changed: notice,
  email_change_requested: notice,
  second_factor_on: notice,
  second_factor_off: notice,
  passkey_added: notice,
  passkey_removed: notice,
  api_key_added: notice,
  provider_linked: {
    cause: 'account',
    async content({ db }, { userId }) {
      const linked = await db
        .select({ provider: identities.provider })
        .from(identities)
        .where(eq(identities.userId, userId))
      if (linked.length === 0) return null
      const names = new Set(linked.map(({ provider }) => providerNames[provider]))
      return { path: '/forgot-password', values: { providers: [...names].sort().join(', ') } }
    },
  },
  wrong_codes: notice,
  factor_removal_cancelled: notice,
  factors_removed: notice,
  factors_reset: notice,
  sessions_ended: notice,
  first_factor: {
    cause: 'account',
    content: async (deps, pending) => ({ path: `/second-factor/${await token(deps, pending, 'first_factor')}` }),
  },
  factor_removal_requested: {
    cause: 'account',
    async content(deps, pending) {
      const due = await removalDue(deps.db, pending.userId)
      if (!due) return null
      const values = { when: formatWib(due, pending.language) }
      return { path: `/keep-factors/${await token(deps, pending, 'keep_factors')}`, values }
    },
  },
  email_changed: { cause: 'account', content: linkTo('/') },
  new_device: {
    cause: 'account',
    async content({ db }, { subjectId, language }) {
      const values = subjectId && (await describeSignIn(db, subjectId, language))
      return values ? { path: '/forgot-password', values } : null
    },
  },
  account_deleted: { cause: 'farewell', content: linkTo('/') },
} satisfies Record<string, MailDefinition>

function token({ db, clock }: MailDeps, { userId, to }: PendingMail, purpose: AccountTokenPurpose): Promise<string> {
  const email = purpose === 'change_email' ? to : undefined
  return makeAccountToken(db, { userId, purpose, email, now: clock() })
}

/** Time in Jakarta; undefined if the session no longer exists. */
async function describeSignIn(
  executor: Executor,
  sessionId: string,
  language: Language,
): Promise<Record<string, string> | undefined> {
  const [session] = await executor.select().from(sessions).where(eq(sessions.id, sessionId))
  if (!session) return undefined
  const device = deviceName(session.userAgent) ?? translate(language, 'mail.new_device.unknown')
  return { device, when: formatWib(session.createdAt, language) }
}

export const accountContributions = { mails: accountMails, personalData: accountData, work: workAccounts }

async function workAccounts(deps: Deps): Promise<void> {
  await deps.jobs.every('delete-unverified-accounts', 3600, (signal) => deleteUnverified(deps, signal))
  await deps.jobs.every('remove-due-factors', 300, (signal) => removeDueFactors(deps, signal))
  await deps.jobs.every('reseal-secrets', 3600, () => resealTotpSecrets(deps))
  await deps.jobs.every('sweep-security-events', 24 * 3600, () => securityLog.sweep(deps))
}

export function accountRoutes(deps: AccountDeps, summaries: SummarySources) {
  return [
    ...signInRoutes(deps),
    ...providerRoutes(deps),
    ...profileRoutes(deps),
    ...secondFactorRoutes(deps),
    ...apiKeyRoutes(deps),
    ...adminAccountRoutes(deps, summaries),
  ]
}
