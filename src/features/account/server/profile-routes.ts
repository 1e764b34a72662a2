import { type } from 'arktype'
import { Hono } from 'hono'
import { languages } from '#contract/language.ts'
import { roles } from '#contract/roles.ts'
import type { AccountDeps } from '#server/account-hooks.ts'
import { appError } from '#server/http/app-error.ts'
import { answers, documented } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { forgiveRate, limitRate } from '#server/http/rate-limit.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import { translate } from '#server/i18n.ts'
import {
  consentInput,
  consentKinds,
  deleteInput,
  emailChangeInput,
  passwordInput,
  profileInput,
  providers,
  themeModes,
  withdrawInput,
} from '../contract.ts'
import { askForEmailChange, confirmNewEmail } from './change-email.ts'
import { changePassword } from './change-password.ts'
import { giveConsent, listConsents, withdrawConsent } from './consents.ts'
import { deleteAccount } from './delete-account.ts'
import { exportData } from './export-data.ts'
import { keepDevice, readDevice } from './known-device.ts'
import { changeProfile, readProfile } from './profile.ts'
import { exportRules, mailRules, proofRules } from './rate-rules.ts'
import { requireUser } from './require-user.ts'
import { endSession, listSessions, signOutEverywhere } from './sessions.ts'

const message = type({ msg: 'string' })
const token = type({ access_token: 'string' })
const profile = type({
  id: 'string',
  name: 'string',
  email: 'string',
  role: type.enumerated(...roles),
  language: type.enumerated(...languages),
  theme: type({ mode: type.enumerated(...themeModes), primary: 'string', neutral: 'string' }).or('null'),
  hasPassword: 'boolean',
  providers: type.enumerated(...providers).array(),
  createdAt: 'string',
})
const session = type({
  id: 'string',
  current: 'boolean',
  device: 'string | null',
  createdAt: 'string',
  lastSeenAt: 'string',
})

const agreed = type({
  current: { biometric: 'string' },
  items: type({
    kind: type.enumerated(...consentKinds),
    version: 'string',
    givenAt: 'string',
    withdrawnAt: 'string | null',
  }).array(),
})

/** What a signed-in person does with the account itself; paths are relative to /api. */
export function profileRoutes(deps: AccountDeps) {
  const signedIn = requireUser(deps)
  return new Hono<UserEnv>()
    .get('/user/me', documented('The signed-in user', answers(200, 'The profile', profile)), signedIn, async (c) =>
      c.json(await readProfile(deps, c.var.user.id)),
    )
    .patch(
      '/user/me',
      documented(
        'Change name, language or theme; the session goes on under the answered token',
        answers(200, 'The profile', profile.and(token)),
      ),
      signedIn,
      jsonOnly,
      validJson(profileInput),
      async (c) => {
        const { user, sessionId } = c.var
        return c.json(await changeProfile(deps, { userId: user.id, sessionId }, c.req.valid('json')))
      },
    )
    .post(
      '/user/password',
      documented(
        'Set a new password; every other session ends, this one goes on under the answered token',
        answers(200, 'A bearer token', token),
      ),
      signedIn,
      jsonOnly,
      validJson(passwordInput),
      async (c) => {
        const { user, sessionId, address } = c.var
        const rules = proofRules(address, user.id)
        await limitRate(deps, rules)
        const device = readDevice(c)
        const access_token = await changePassword(deps, { user, sessionId, device }, c.req.valid('json'))
        await forgiveRate(deps, rules)
        if (device) keepDevice(c, deps.config, device)
        return c.json({ access_token })
      },
    )
    .post(
      '/user/email',
      documented(
        'Ask for another e-mail address; it counts once the link mailed to it was opened',
        answers(202, 'Mails are on their way', message),
      ),
      signedIn,
      jsonOnly,
      validJson(emailChangeInput),
      async (c) => {
        const { user, address, language } = c.var
        const input = c.req.valid('json')
        await limitRate(deps, [...proofRules(address, user.id), ...mailRules('email', address, input.email)])
        await askForEmailChange(deps, user.id, input)
        return c.json({ msg: translate(language, 'answer.email_change_sent') }, 202)
      },
    )
    .get(
      '/confirm_email/:token',
      documented("The link in a new address's mail", answers(302, 'To the profile'), { security: [] }),
      async (c) => {
        try {
          await confirmNewEmail(deps, c.req.param('token'))
        } catch (error) {
          if (!c.req.header('accept')?.includes('text/html')) throw error
          return c.redirect('/profile?email=0')
        }
        return c.redirect('/profile?email=1')
      },
    )
    .get(
      '/user/sessions',
      documented('Where the account is signed in', answers(200, 'The sessions', type({ items: session.array() }))),
      signedIn,
      async (c) => {
        const { user, sessionId } = c.var
        return c.json({ items: await listSessions(deps, { userId: user.id, sessionId }) })
      },
    )
    .delete(
      '/user/sessions/:id',
      documented('End one session', answers(204, 'Its token is worth nothing any more')),
      signedIn,
      async (c) => {
        const id = c.req.param('id')
        if (!type('string.uuid').allows(id)) throw appError('session.not_found')
        await endSession(deps, { userId: c.var.user.id, sessionId: id })
        return c.body(null, 204)
      },
    )
    .delete(
      '/user/sessions',
      documented(
        'End every other session; this one goes on under the answered token',
        answers(200, 'A bearer token', token),
      ),
      signedIn,
      async (c) => {
        const { user, sessionId } = c.var
        return c.json({ access_token: await signOutEverywhere(deps, { user, sessionId }) })
      },
    )
    .get(
      '/user/consents',
      documented('What somebody has agreed to, and what is asked for now', answers(200, 'The consents', agreed)),
      signedIn,
      async (c) => c.json(await listConsents(deps, c.var.user.id)),
    )
    .post(
      '/user/consents',
      documented('Agree to the text of a version', answers(201, 'The consents', agreed)),
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
      documented('Take a consent back', answers(200, 'The consents', agreed)),
      signedIn,
      valid('query', withdrawInput),
      async (c) => {
        await withdrawConsent(deps, c.var.user.id, c.req.valid('query').kind)
        return c.json(await listConsents(deps, c.var.user.id))
      },
    )
    .post(
      '/user/export',
      documented('Everything that is kept about somebody', {
        200: { description: 'A ZIP with pictures, ledger and orders', content: { 'application/zip': {} } },
      }),
      signedIn,
      async (c) => {
        await limitRate(deps, exportRules(c.var.user.id))
        const { name, body } = await exportData(deps, c.var.user.id)
        return c.body(body, 200, {
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'private, no-store',
        })
      },
    )
    .post(
      '/user/delete',
      documented('Delete the account, at once and for good', answers(204, 'It is gone')),
      signedIn,
      jsonOnly,
      validJson(deleteInput),
      async (c) => {
        const { user, address } = c.var
        await limitRate(deps, proofRules(address, user.id))
        await deleteAccount(deps, user.id, c.req.valid('json'))
        return c.body(null, 204)
      },
    )
}
