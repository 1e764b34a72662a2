import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { type SecurityEvent, securityLog } from '#server/audit/audit.ts'
import { factorRuleFor } from '#server/auth/factors.ts'
import { requireUser } from '#server/auth/require-user.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { limitRate, resetRateLimit } from '#server/http/rate-limit.ts'
import { route } from '#server/http/route.ts'
import { translate } from '#server/i18n.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { type } from '#shared/schema.ts'
import {
  addPasskeyInput,
  factorReauthenticationInput,
  linkInput,
  messageSchema,
  passkeySchema,
  reauthenticationInput,
  recoveryCodesSchema,
  secondFactorSchema,
  totpCodeInput,
  totpConfirmedSchema,
  totpSchema,
} from '../../schemas.ts'
import { addPasskey, passkeyOptions } from '../passkeys/add-passkey.ts'
import { firstCodeRules, mailRules, tokenLoginRules } from '../rate-rules.ts'
import { callerOf, reauthenticationErrors, withReauthentication } from '../reauthentication/with-reauthentication.ts'
import { rotateSession } from '../sessions/sessions.ts'
import { openFirstFactorLink, sendFirstFactorLink } from './first-factor.ts'
import { readSecondFactor, removePasskey, renewRecoveryCodes, turnTotpOff } from './second-factor.ts'
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
