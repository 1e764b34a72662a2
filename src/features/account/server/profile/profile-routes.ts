import { type Context, Hono } from 'hono'
import type { AccountDeps } from '#server/account-hooks.ts'
import { securityLog } from '#server/audit/audit.ts'
import { factorRuleFor } from '#server/auth/factors.ts'
import { requireSession, requireUser } from '#server/auth/require-user.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { pathId } from '#server/http/path-id.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import { translate } from '#server/i18n.ts'
import { refuseChangeInMaintenance } from '#server/maintenance.ts'
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
import { failedLinkResult } from '../failed-link.ts'
import { changePassword } from '../password/change-password.ts'
import { exportRules, mailRules } from '../rate-rules.ts'
import { callerOf, withReauthentication } from '../reauthentication/with-reauthentication.ts'
import { readDevice, storeDeviceCookie } from '../sessions/known-device.ts'
import { endOtherSessions, endSession, listSessions } from '../sessions/sessions.ts'
import { confirmNewEmail, requestEmailChange } from './change-email.ts'
import { giveConsent, listConsents, withdrawConsent } from './consents.ts'
import { deleteAccount } from './delete-account.ts'
import { exportData } from './export-data.ts'
import { changeProfile, readProfile } from './profile.ts'

export function profileRoutes(deps: AccountDeps) {
  const signedIn = requireUser(deps)
  const evenBeforeAction = requireSession(deps)
  const withLocalRules = (c: Context<UserEnv>): AccountDeps => ({ ...deps, config: factorRuleFor(deps.config, c) })
  return new Hono<UserEnv>()
    .get(
      '/user/me',
      documented('Get the signed-in user', respondsWith(200, 'The profile', profileSchema)),
      evenBeforeAction,
      async (c) => c.json(await readProfile(deps, c.var.user.id)),
    )
    .patch(
      '/user/me',
      documented(
        'Update name, language or theme; returns a new token for the session',
        respondsWith(200, 'The profile', changedProfileSchema),
      ),
      signedIn,
      jsonOnly,
      validJson(profileInput),
      async (c) => {
        const { user, sessionId } = c.var
        return c.json(await changeProfile(withLocalRules(c), { userId: user.id, sessionId }, c.req.valid('json')))
      },
    )
    .post(
      '/user/password',
      documented(
        'Change your password; ends all other sessions and returns a new token for this one',
        respondsWith(200, 'A bearer token', tokenSchema),
      ),
      evenBeforeAction,
      jsonOnly,
      validJson(passwordInput),
      async (c) => {
        const { user, sessionId, address } = c.var
        const device = readDevice(c, deps.config)
        const change = () => changePassword(withLocalRules(c), { user, sessionId, device }, c.req.valid('json'))
        const access_token = await withReauthentication(deps, callerOf(c, deps), {}, change)
        await securityLog.note(deps, { kind: 'password_changed', userId: user.id, sessionId, address })
        if (device) storeDeviceCookie(c, deps.config, device)
        return c.json({ access_token })
      },
    )
    .post(
      '/user/email',
      documented(
        'Change your email address; takes effect once the emailed link is opened',
        respondsWith(202, 'Emails are on their way', messageSchema),
      ),
      signedIn,
      jsonOnly,
      validJson(emailChangeInput),
      async (c) => {
        const { user, sessionId, address, language } = c.var
        const input = c.req.valid('json')
        await withReauthentication(deps, callerOf(c, deps), input, async () => {
          await limitRate(deps, mailRules('email', address, input.email))
          await requestEmailChange(withLocalRules(c), { user, sessionId }, input)
        })
        await securityLog.note(deps, { kind: 'email_change_requested', userId: user.id, sessionId, address })
        return c.json({ msg: translate(language, 'message.email_change_sent') }, 202)
      },
    )
    .get(
      '/confirm_email/:token',
      documented('Confirm a new email address by its emailed link', respondsWith(302, 'Redirect to the profile'), {
        security: [],
      }),
      async (c) => {
        try {
          await refuseChangeInMaintenance(deps)
          await confirmNewEmail(deps, { token: c.req.param('token'), address: c.var.address })
        } catch (error) {
          return c.redirect(`/profile?email=${failedLinkResult(c, error)}`)
        }
        return c.redirect('/profile?email=1')
      },
    )
    .get(
      '/user/sessions',
      documented('List your sessions', respondsWith(200, 'The sessions', type({ items: sessionSchema.array() }))),
      signedIn,
      async (c) => {
        const { user, sessionId } = c.var
        return c.json({ items: await listSessions(deps, { user, sessionId }) })
      },
    )
    .post(
      '/user/sessions/:id/end',
      documented('End a session', respondsWith(204, 'Session ended; its token is invalid')),
      signedIn,
      jsonOnly,
      validJson(endSessionInput),
      async (c) => {
        const { user, address } = c.var
        const id = pathId(c, 'session.not_found')
        const end = () => endSession(deps, { userId: user.id, sessionId: id, credentials: c.req.valid('json') })
        await withReauthentication(deps, callerOf(c, deps), {}, end)
        await securityLog.note(deps, { kind: 'sessions_ended', userId: user.id, sessionId: id, address })
        return c.body(null, 204)
      },
    )
    .post(
      '/user/sessions/end_others',
      documented(
        'End all other sessions; returns a new token for this one',
        respondsWith(200, 'A bearer token', tokenSchema),
      ),
      signedIn,
      jsonOnly,
      validJson(endSessionInput),
      async (c) => {
        const { user, sessionId, address } = c.var
        const end = () => endOtherSessions(withLocalRules(c), { user, sessionId, credentials: c.req.valid('json') })
        const access_token = await withReauthentication(deps, callerOf(c, deps), {}, end)
        await securityLog.note(deps, { kind: 'sessions_ended', userId: user.id, sessionId, address, detail: 'others' })
        return c.json({ access_token })
      },
    )
    .get(
      '/user/consents',
      documented('List your consents and the current consent texts', respondsWith(200, 'The consents', consentsSchema)),
      signedIn,
      async (c) => c.json(await listConsents(deps, c.var.user.id)),
    )
    .post(
      '/user/consents',
      documented('Give consent to a version of a text', respondsWith(201, 'The consents', consentsSchema)),
      signedIn,
      jsonOnly,
      validJson(consentInput),
      async (c) => {
        await giveConsent(deps, c.var.user.id, c.req.valid('json'))
        return c.json(await listConsents(deps, c.var.user.id), 201)
      },
    )
    .delete(
      '/user/consents',
      documented('Withdraw a consent', respondsWith(200, 'The consents', consentsSchema)),
      signedIn,
      valid('query', withdrawInput),
      async (c) => {
        await withdrawConsent(deps, c.var.user.id, c.req.valid('query').kind)
        return c.json(await listConsents(deps, c.var.user.id))
      },
    )
    .post(
      '/user/export',
      documented('Download your personal data', {
        200: { description: 'A ZIP with pictures, ledger and orders', content: { 'application/zip': {} } },
      }),
      signedIn,
      async (c) => {
        const { user, sessionId, address } = c.var
        await limitRate(deps, exportRules(user.id))
        const { name, body } = await exportData(deps, user.id)
        await securityLog.note(deps, { kind: 'data_exported', userId: user.id, sessionId, address })
        return c.body(body, 200, {
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'private, no-store',
        })
      },
    )
    .post(
      '/user/delete',
      documented('Delete your account immediately and permanently', respondsWith(204, 'Deleted')),
      signedIn,
      jsonOnly,
      validJson(deleteInput),
      async (c) => {
        await withReauthentication(deps, callerOf(c, deps), {}, () =>
          deleteAccount(deps, c.var.user.id, c.req.valid('json')),
        )
        return c.body(null, 204)
      },
    )
}
