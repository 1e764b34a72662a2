import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeZip } from 'client-zip'
import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { AccountDeps, ArchiveFile } from '#server/account-hooks.ts'
import { securityLog } from '#server/audit/audit.ts'
import { factorRuleFor } from '#server/auth/factors.ts'
import { requireSession, requireUser } from '#server/auth/require-user.ts'
import { users } from '#server/auth/table.ts'
import { appError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { route } from '#server/http/route.ts'
import { pathId } from '#server/http/validate.ts'
import { translate } from '#server/i18n.ts'
import { refuseChangeInMaintenance } from '#server/maintenance.ts'
import { brandName } from '#shared/brand.ts'
import { type } from '#shared/schema.ts'
import {
  changedProfileSchema,
  consentInput,
  consentsSchema,
  deleteInput,
  emailChangeInput,
  endSessionInput,
  messageSchema,
  passwordInput,
  profileInput,
  profileSchema,
  sessionSchema,
  tokenSchema,
  withdrawInput,
} from '../../schemas.ts'
import { changePassword } from '../password/reset-password.ts'
import { exportRules, mailRules } from '../rate-rules.ts'
import { callerOf, reauthenticationErrors, withReauthentication } from '../reauthentication.ts'
import { readDevice, storeDeviceCookie } from '../sessions/known-device.ts'
import { endOtherSessions, endSession, listSessions } from '../sessions/sessions.ts'
import { failedLinkResult } from '../sign-in/links.ts'
import {
  changeProfile,
  confirmNewEmail,
  deleteAccount,
  giveConsent,
  listConsents,
  readProfile,
  requestEmailChange,
  withdrawConsent,
} from './profile.ts'

export function profileRoutes(deps: AccountDeps) {
  const signedIn = requireUser(deps)
  const evenBeforeAction = requireSession(deps)
  const withLocalRules = (c: Context<UserEnv>): AccountDeps => ({ ...deps, config: factorRuleFor(deps.config, c) })
  return [
    route('readProfile', 'GET /user/me', evenBeforeAction, {
      summary: 'Get the signed-in user',
      output: { 200: ['The profile', profileSchema] },
      handler: (c) => readProfile(deps, c.var.user.id),
    }),
    route('changeProfile', 'PATCH /user/me', signedIn, {
      summary: 'Update name, language or theme; returns a new token for the session',
      input: { json: profileInput },
      output: { 200: ['The profile', changedProfileSchema] },
      handler: async (c) => {
        const { user, sessionId } = c.var
        return await changeProfile(withLocalRules(c), { userId: user.id, sessionId }, c.req.valid('json'))
      },
    }),
    route('changePassword', 'POST /user/password', evenBeforeAction, {
      summary: 'Change your password; ends all other sessions and returns a new token for this one',
      input: { json: passwordInput },
      output: { 200: ['A bearer token', tokenSchema] },
      errors: [...reauthenticationErrors],
      handler: async (c) => {
        const { user, sessionId, address } = c.var
        const device = readDevice(c, deps.config)
        const change = () => changePassword(withLocalRules(c), { user, sessionId, device }, c.req.valid('json'))
        const access_token = await withReauthentication(deps, callerOf(c, deps), {}, change)
        await securityLog.note(deps, { kind: 'password_changed', userId: user.id, sessionId, address })
        if (device) storeDeviceCookie(c, deps.config, device)
        return { access_token }
      },
    }),
    route('requestEmailChange', 'POST /user/email', signedIn, {
      summary: 'Change your email address; takes effect once the emailed link is opened',
      input: { json: emailChangeInput },
      output: { 202: ['Emails are on their way', messageSchema] },
      errors: [...reauthenticationErrors, 'account.email_unchanged'],
      handler: async (c) => {
        const { user, sessionId, address, language } = c.var
        const input = c.req.valid('json')
        await withReauthentication(deps, callerOf(c, deps), input, async () => {
          await limitRate(deps, mailRules('email', address, input.email))
          await requestEmailChange(withLocalRules(c), { user, sessionId }, input)
        })
        await securityLog.note(deps, { kind: 'email_change_requested', userId: user.id, sessionId, address })
        return { msg: translate(language, 'message.email_change_sent') }
      },
    }),
    route('confirmNewEmail', 'GET /confirm_email/:token', 'visitor', {
      summary: 'Confirm a new email address by its emailed link',
      output: { 302: 'Redirect to the profile' },
      handler: async (c) => {
        try {
          await refuseChangeInMaintenance(deps)
          await confirmNewEmail(deps, { token: c.req.param('token'), address: c.var.address })
        } catch (error) {
          return c.redirect(`/profile?email=${failedLinkResult(c, error)}`)
        }
        return c.redirect('/profile?email=1')
      },
    }),
    route('listSessions', 'GET /user/sessions', signedIn, {
      summary: 'List your sessions',
      output: { 200: ['The sessions', type({ items: sessionSchema.array() })] },
      handler: async (c) => {
        const { user, sessionId } = c.var
        return { items: await listSessions(deps, { user, sessionId }) }
      },
    }),
    route('endSession', 'POST /user/sessions/:id/end', signedIn, {
      summary: 'End a session',
      input: { json: endSessionInput },
      output: { 204: 'Session ended; its token is invalid' },
      errors: [...reauthenticationErrors, 'session.not_found'],
      handler: async (c) => {
        const { user, address } = c.var
        const id = pathId(c, 'session.not_found')
        const end = () => endSession(deps, { userId: user.id, sessionId: id, credentials: c.req.valid('json') })
        await withReauthentication(deps, callerOf(c, deps), {}, end)
        await securityLog.note(deps, { kind: 'sessions_ended', userId: user.id, sessionId: id, address })
      },
    }),
    route('endOtherSessions', 'POST /user/sessions/end_others', signedIn, {
      summary: 'End all other sessions; returns a new token for this one',
      input: { json: endSessionInput },
      output: { 200: ['A bearer token', tokenSchema] },
      errors: [...reauthenticationErrors],
      handler: async (c) => {
        const { user, sessionId, address } = c.var
        const end = () => endOtherSessions(withLocalRules(c), { user, sessionId, credentials: c.req.valid('json') })
        const access_token = await withReauthentication(deps, callerOf(c, deps), {}, end)
        await securityLog.note(deps, { kind: 'sessions_ended', userId: user.id, sessionId, address, detail: 'others' })
        return { access_token }
      },
    }),
    route('listConsents', 'GET /user/consents', signedIn, {
      summary: 'List your consents and the current consent texts',
      output: { 200: ['The consents', consentsSchema] },
      handler: (c) => listConsents(deps, c.var.user.id),
    }),
    route('giveConsent', 'POST /user/consents', signedIn, {
      summary: 'Give consent to a version of a text',
      input: { json: consentInput },
      output: { 201: ['The consents', consentsSchema] },
      errors: ['consent.outdated'],
      handler: async (c) => {
        await giveConsent(deps, c.var.user.id, c.req.valid('json'))
        return await listConsents(deps, c.var.user.id)
      },
    }),
    route('withdrawConsent', 'DELETE /user/consents', signedIn, {
      summary: 'Withdraw a consent',
      input: { query: withdrawInput },
      output: { 200: ['The consents', consentsSchema] },
      handler: async (c) => {
        await withdrawConsent(deps, c.var.user.id, c.req.valid('query').kind)
        return await listConsents(deps, c.var.user.id)
      },
    }),
    route('exportData', 'POST /user/export', signedIn, {
      summary: 'Download your personal data',
      limits: (c) => exportRules(c.var.user.id),
      output: { 200: { description: 'A ZIP with pictures, ledger and orders', content: { 'application/zip': {} } } },
      handler: async (c) => {
        const { user, sessionId, address } = c.var
        const { name, body } = await exportData(deps, user.id)
        await securityLog.note(deps, { kind: 'data_exported', userId: user.id, sessionId, address })
        return c.body(body, 200, {
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'private, no-store',
        })
      },
    }),
    route('deleteAccount', 'POST /user/delete', signedIn, {
      summary: 'Delete your account immediately and permanently',
      input: { json: deleteInput },
      output: { 204: 'Deleted' },
      errors: [...reauthenticationErrors, 'account.last_admin'],
      handler: (c) =>
        withReauthentication(deps, callerOf(c, deps), {}, () =>
          deleteAccount(deps, c.var.user.id, c.req.valid('json')),
        ),
    }),
  ]
}

type Tools = Pick<AccountDeps, 'db' | 'store' | 'clock' | 'accountHooks'>

/** Streams a ZIP, built while being read and never stored as a whole. */
async function exportData(deps: Tools, userId: string): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  const [user] = await deps.db.select({ language: users.language }).from(users).where(eq(users.id, userId))
  if (!user) throw appError('auth.expired')
  const now = deps.clock()
  const person = { userId, language: user.language }
  const name = `${brandName.toLowerCase()}-${now.toISOString().slice(0, 10)}.zip`
  return { name, body: makeZip(entries(deps, person, now), { buffersAreUTF8: true }) }
}

async function* entries(deps: Tools, person: Parameters<typeof archive>[1], now: Date) {
  for await (const { name, content, modified = now } of archive(deps, person)) {
    yield { name, input: content, lastModified: modified }
    // Yields to other requests: an archive can have many small files.
    await nextTurn()
  }
}

async function* archive(deps: Tools, person: { userId: string; language: 'id' | 'en' }): AsyncIterable<ArchiveFile> {
  yield { name: 'README.txt', content: `${translate(person.language, 'message.archive')}\n` }
  for (const part of deps.accountHooks.personalData) yield* part.archive(deps, person)
}
