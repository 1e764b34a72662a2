import { eq } from 'drizzle-orm'
import { deviceName } from '#server/auth/device-name.ts'
import { sessions, users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import { translate } from '#server/i18n.ts'
import type { MailDefinition, MailDeps, PendingMail } from '#server/mail/mail-definition.ts'
import type { Language } from '#shared/language.ts'
import { providerNames, verificationCodeMinutes } from '../rules.ts'
import { type AccountTokenPurpose, makeAccountToken } from './account-token.ts'
import { makeVerification } from './registration/verification-code.ts'
import { removalDue } from './second-factor/factor-removal.ts'
import { identities } from './table.ts'

const linkTo =
  (page: string): MailDefinition['content'] =>
  async () => ({ path: page })

const notice = { cause: 'account', content: linkTo('/forgot-password') } as const satisfies MailDefinition

export const accountMails = {
  verify_email: {
    cause: 'anybody',
    async content(deps, owed) {
      const [user] = await deps.db
        .select({ verified: users.emailVerifiedAt })
        .from(users)
        .where(eq(users.id, owed.userId))
      if (!user || user.verified) return null
      const { token, code } = await makeVerification(deps.db, deps.config, { userId: owed.userId, now: deps.clock() })
      return { path: `/api/verify_email/${token}`, values: { code, minutes: String(verificationCodeMinutes) } }
    },
  },
  reset_password: {
    cause: 'anybody',
    content: async (deps, owed) => ({ path: `/reset-password/${await token(deps, owed, 'reset_password')}` }),
  },
  verify_new_email: {
    cause: 'anybody',
    content: async (deps, owed) => ({ path: `/api/confirm_email/${await token(deps, owed, 'change_email')}` }),
  },
  address_in_use: { cause: 'anybody', content: linkTo('/login') },
  password_changed: notice,
  email_change_requested: notice,
  second_factor_on: notice,
  second_factor_off: notice,
  passkey_added: notice,
  passkey_removed: notice,
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
    content: async (deps, owed) => ({ path: `/second-factor/${await token(deps, owed, 'first_factor')}` }),
  },
  factor_removal_requested: {
    cause: 'account',
    async content(deps, owed) {
      const due = await removalDue(deps.db, owed.userId)
      if (!due) return null
      const values = { when: inJakarta(due, owed.language) }
      return { path: `/keep-factors/${await token(deps, owed, 'keep_factors')}`, values }
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
  return { device, when: inJakarta(session.createdAt, language) }
}

function inJakarta(moment: Date, language: Language): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Jakarta',
  })
  return `${format.format(moment)} WIB`
}
