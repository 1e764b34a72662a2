import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import { type SecurityEvent, securityLog } from '#server/audit/audit.ts'
import { factorRuleFor, forgetShownFactors, hasTotp, needsSecondFactor } from '#server/auth/factors.ts'
import { requireUser } from '#server/auth/require-user.ts'
import { passkeys, sessions, totpSecrets } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { limitRate, resetRateLimit } from '#server/http/rate-limit.ts'
import { route } from '#server/http/route.ts'
import { translate } from '#server/i18n.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { MailTemplate } from '#server/mail/table.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { type } from '#shared/schema.ts'
import type { AuthUser } from '#shared/session.ts'
import {
  addPasskeyInput,
  factorReauthenticationInput,
  linkInput,
  messageSchema,
  passkeySchema,
  reauthenticationInput,
  recoveryCodesSchema,
  type SecondFactorView,
  secondFactorSchema,
  totpCodeInput,
  totpConfirmedSchema,
  totpSchema,
} from '../../schemas.ts'
import { addPasskey, passkeyOptions } from '../passkeys/add-passkey.ts'
import { listPasskeys } from '../passkeys/passkeys.ts'
import { firstCodeRules, mailRules, tokenLoginRules } from '../rate-rules.ts'
import { type Credentials, callerOf, reauthenticationErrors, withReauthentication } from '../reauthentication.ts'
import { rotateSession } from '../sessions/sessions.ts'
import { recoveryCodes } from '../table.ts'
import { openFirstFactorLink, sendFirstFactorLink } from './first-factor.ts'
import { countRecoveryCodes, makeRecoveryCodes } from './one-time-codes.ts'
import { changeFactors, type FactorOwner, type ShownFactor, showFactor, showFactorIfDue } from './show-factor.ts'
import { confirmTotp, startTotp } from './totp.ts'

const passkeyList = type({ items: passkeySchema.array() })

export function secondFactorRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  const ownerOf = ({ user, sessionId }: { user: { id: string }; sessionId: string }) => ({ userId: user.id, sessionId })
  const note = (
    { user, sessionId, address }: { user: { id: string }; sessionId: string; address: string },
    kind: SecurityEvent['kind'],
  ) => securityLog.note(deps, { kind, userId: user.id, sessionId, address })

  return [
    route('readSecondFactor', 'GET /user/second_factor', signedIn, {
      summary: 'Get the second factors of your account',
      output: { 200: ['The second factors', secondFactorSchema] },
      handler: (c) => readSecondFactor({ ...deps, config: factorRuleFor(deps.config, c) }, c.var),
    }),
    route('sendFirstFactorLink', 'POST /user/second_factor/link', signedIn, {
      summary: 'Email the link required to add the first authenticator app or passkey',
      input: { json: reauthenticationInput },
      output: { 202: ['An email is on its way', messageSchema] },
      errors: [...reauthenticationErrors, 'second_factor.already_on'],
      handler: async (c) => {
        const { user, address, language } = c.var
        await withReauthentication(deps, callerOf(c, deps), {}, async () => {
          await limitRate(deps, mailRules('first-factor', address, user.email))
          await sendFirstFactorLink(deps, user.id, c.req.valid('json'))
        })
        return { msg: translate(language, 'message.first_factor_sent') }
      },
    }),
    route('openFirstFactorLink', 'POST /user/second_factor/open', signedIn, {
      summary: 'Confirm the emailed link: this session may add the first factor',
      input: { json: linkInput },
      limits: (c) => tokenLoginRules(c.var.address),
      output: { 204: 'Confirmed for 30 minutes' },
      errors: ['auth.token_invalid'],
      handler: (c) => openFirstFactorLink(deps, { ...ownerOf(c.var), token: c.req.valid('json').token }),
    }),
    route('startTotp', 'POST /user/totp', signedIn, {
      summary: 'Start setting up an authenticator app',
      input: { json: factorReauthenticationInput },
      output: { 200: ['The secret of the authenticator app', totpSchema] },
      errors: [...reauthenticationErrors, 'second_factor.already_on', 'second_factor.link_due'],
      handler: async (c) => {
        const shown = c.req.valid('json')
        return await withReauthentication(deps, callerOf(c, deps), shown, () => startTotp(deps, ownerOf(c.var), shown))
      },
    }),
    route('confirmTotp', 'POST /user/totp/confirm', signedIn, {
      summary: "Turn on the second factor with the app's first code; ends all other sessions",
      input: { json: totpCodeInput },
      output: { 200: ['The recovery codes, shown this once, and a bearer token', totpConfirmedSchema] },
      errors: [
        'request.rate_limited',
        'second_factor.already_on',
        'second_factor.proof_due',
        'second_factor.link_due',
        'second_factor.wrong_code',
      ],
      handler: async (c) => {
        const { user, sessionId } = c.var
        const rules = firstCodeRules(user.id)
        await limitRate(deps, rules)
        const now = deps.clock()
        const confirmed = await transact(deps.db, async (tx) => {
          const recoveryCodes = await confirmTotp(tx, deps, { userId: user.id, sessionId, now }, c.req.valid('json'))
          const access_token = await rotateSession(tx, deps.config, { user, sessionId, secondFactor: true, now })
          await enqueueMail(tx, { template: 'second_factor_on', userId: user.id, now })
          return { recoveryCodes, access_token }
        })
        await resetRateLimit(deps, rules)
        await note(c.var, 'second_factor_on')
        return confirmed
      },
    }),
    route('turnTotpOff', 'POST /user/totp/off', signedIn, {
      summary: 'Turn the second factor off',
      input: { json: factorReauthenticationInput },
      output: { 204: 'Second factor turned off' },
      errors: [...reauthenticationErrors, 'second_factor.off'],
      handler: async (c) => {
        const shown = c.req.valid('json')
        await withReauthentication(deps, callerOf(c, deps), shown, () => turnTotpOff(deps, ownerOf(c.var), shown))
        await note(c.var, 'second_factor_off')
      },
    }),
    route('renewRecoveryCodes', 'POST /user/recovery_codes', signedIn, {
      summary: 'Replace the recovery codes',
      input: { json: factorReauthenticationInput },
      output: { 200: ['The codes', recoveryCodesSchema] },
      errors: [...reauthenticationErrors, 'second_factor.off'],
      handler: async (c) => {
        const shown = c.req.valid('json')
        const renew = () => renewRecoveryCodes(deps, ownerOf(c.var), shown)
        const codes = await withReauthentication(deps, callerOf(c, deps), shown, renew)
        return { recoveryCodes: codes }
      },
    }),
    route('createPasskeyOptions', 'POST /user/passkeys/options', signedIn, {
      summary: 'Get options for creating a passkey',
      input: { json: factorReauthenticationInput },
      output: { 200: 'WebAuthn creation options' },
      errors: [...reauthenticationErrors, 'request.not_found', 'second_factor.link_due', 'passkey.too_many'],
      handler: async (c) => {
        const shown = c.req.valid('json')
        return await withReauthentication(deps, callerOf(c, deps), shown, () =>
          passkeyOptions(deps, ownerOf(c.var), shown),
        )
      },
    }),
    route('addPasskey', 'POST /user/passkeys', signedIn, {
      summary: 'Register a passkey',
      input: { json: addPasskeyInput },
      output: { 201: ['All passkeys', passkeyList] },
      errors: [
        'request.not_found',
        'passkey.refused',
        'second_factor.proof_due',
        'second_factor.link_due',
        'passkey.too_many',
      ],
      handler: async (c) => {
        const response = c.req.valid('json').response as RegistrationResponseJSON
        const items = await addPasskey(deps, ownerOf(c.var), { response, userAgent: c.req.header('user-agent') })
        await note(c.var, 'passkey_added')
        return { items }
      },
    }),
    route('removePasskey', 'POST /user/passkeys/:id/remove', signedIn, {
      summary: 'Remove a passkey',
      input: { json: factorReauthenticationInput },
      output: { 204: 'Removed' },
      errors: [...reauthenticationErrors, 'passkey.not_found'],
      handler: async (c) => {
        const shown = c.req.valid('json')
        const passkey = { ...ownerOf(c.var), id: c.req.param('id') }
        await withReauthentication(deps, callerOf(c, deps), shown, () => removePasskey(deps, passkey, shown))
        await note(c.var, 'passkey_removed')
      },
    }),
  ]
}

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

async function readSecondFactor(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  { user, sessionId }: { user: AuthUser; sessionId: string },
): Promise<SecondFactorView> {
  const [session] = await db
    .select({ shownAt: sessions.secondFactorAt, mayEnrolUntil: sessions.mayEnrolUntil })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
  const [totp] = await db
    .select({ confirmedAt: totpSecrets.confirmedAt, removalDueAt: totpSecrets.removalDueAt })
    .from(totpSecrets)
    .where(eq(totpSecrets.userId, user.id))
  return {
    totp: totp !== undefined && totp.confirmedAt !== null,
    totpRemovalDueAt: totp?.removalDueAt?.toISOString() ?? null,
    recoveryCodesLeft: await countRecoveryCodes(db, user.id),
    passkeys: await listPasskeys(db, user.id),
    required: needsSecondFactor(user, config),
    shown: session !== undefined && session.shownAt !== null,
    linkOpened: (session?.mayEnrolUntil ?? new Date(0)) > clock(),
  }
}

/** Invalidates the old codes. */
async function renewRecoveryCodes(
  deps: Tools,
  owner: FactorOwner,
  given: Credentials & ShownFactor,
): Promise<string[]> {
  const { userId } = owner
  const { result } = await changeFactors(deps, owner, given, showFactorIfDue, async (tx) => {
    if (!(await hasTotp(tx, userId))) throw appError('second_factor.off')
    return await makeRecoveryCodes(tx, deps.config, userId)
  })
  return result
}

/** Queues a notice. */
async function turnTotpOff(deps: Tools, owner: FactorOwner, given: Credentials & ShownFactor): Promise<void> {
  const { userId } = owner
  if (!(await hasTotp(deps.db, userId))) throw appError('second_factor.off')
  await removeFactor(deps, owner, given, { missing: 'second_factor.off', notice: 'second_factor_off' }, async (tx) => {
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    return await tx.delete(totpSecrets).where(eq(totpSecrets.userId, userId)).returning()
  })
}

/** Queues a notice. The device may continue to show the passkey. */
async function removePasskey(
  deps: Tools,
  { id, ...owner }: FactorOwner & { id: string },
  given: Credentials & ShownFactor,
): Promise<void> {
  const own = and(eq(passkeys.userId, owner.userId), eq(passkeys.id, id))
  const [kept] = await deps.db.select({ id: passkeys.id }).from(passkeys).where(own)
  if (!kept) throw appError('passkey.not_found')
  await removeFactor(deps, owner, given, { missing: 'passkey.not_found', notice: 'passkey_removed' }, (tx) =>
    tx.delete(passkeys).where(own).returning(),
  )
}

/** Adding a first factor again needs the mailed link, so sessions forget that one was shown. */
async function removeFactor(
  deps: Tools,
  owner: FactorOwner,
  given: Credentials & ShownFactor,
  { missing, notice }: { missing: ErrorCode; notice: MailTemplate },
  remove: (tx: Transaction) => Promise<unknown[]>,
): Promise<void> {
  const { userId } = owner
  await changeFactors(deps, owner, given, showFactor, async (tx) => {
    const gone = await remove(tx)
    if (gone.length === 0) throw appError(missing)
    await forgetShownFactors(tx, userId)
    await enqueueMail(tx, { template: notice, userId, now: deps.clock() })
  })
}
