import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { Hono } from 'hono'
import { type SecurityEvent, securityLog } from '#server/audit/audit.ts'
import { factorRuleFor } from '#server/auth/factors.ts'
import { requireUser } from '#server/auth/require-user.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { limitRate, resetRateLimit } from '#server/http/rate-limit.ts'
import { jsonOnly, validJson } from '#server/http/validate.ts'
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
import { removePasskey } from '../passkeys/remove-passkey.ts'
import { firstCodeRules, mailRules, tokenLoginRules } from '../rate-rules.ts'
import { callerOf, withReauthentication } from '../reauthentication/with-reauthentication.ts'
import { rotateSession } from '../sessions/sessions.ts'
import { openFirstFactorLink, sendFirstFactorLink } from './first-factor.ts'
import { readSecondFactor, renewRecoveryCodes, turnTotpOff } from './second-factor.ts'
import { confirmTotp, startTotp } from './totp.ts'

const passkeyList = type({ items: passkeySchema.array() })

export function secondFactorRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  const ownerOf = ({ user, sessionId }: { user: { id: string }; sessionId: string }) => ({ userId: user.id, sessionId })
  const note = (
    { user, sessionId, address }: { user: { id: string }; sessionId: string; address: string },
    kind: SecurityEvent['kind'],
  ) => securityLog.note(deps, { kind, userId: user.id, sessionId, address })

  return new Hono<UserEnv>()
    .get(
      '/user/second_factor',
      documented('Get the second factors of your account', respondsWith(200, 'The second factors', secondFactorSchema)),
      signedIn,
      async (c) => c.json(await readSecondFactor({ ...deps, config: factorRuleFor(deps.config, c) }, c.var)),
    )
    .post(
      '/user/second_factor/link',
      documented(
        'Email the link required to add the first authenticator app or passkey',
        respondsWith(202, 'An email is on its way', messageSchema),
      ),
      signedIn,
      jsonOnly,
      validJson(reauthenticationInput),
      async (c) => {
        const { user, address, language } = c.var
        await withReauthentication(deps, callerOf(c, deps), {}, async () => {
          await limitRate(deps, mailRules('first-factor', address, user.email))
          await sendFirstFactorLink(deps, user.id, c.req.valid('json'))
        })
        return c.json({ msg: translate(language, 'message.first_factor_sent') }, 202)
      },
    )
    .post(
      '/user/second_factor/open',
      documented(
        'Confirm the emailed link: this session may add the first factor',
        respondsWith(204, 'Confirmed for 30 minutes'),
      ),
      signedIn,
      jsonOnly,
      validJson(linkInput),
      async (c) => {
        await limitRate(deps, tokenLoginRules(c.var.address))
        await openFirstFactorLink(deps, { ...ownerOf(c.var), token: c.req.valid('json').token })
        return c.body(null, 204)
      },
    )
    .post(
      '/user/totp',
      documented(
        'Start setting up an authenticator app',
        respondsWith(200, 'The secret of the authenticator app', totpSchema),
      ),
      signedIn,
      jsonOnly,
      validJson(factorReauthenticationInput),
      async (c) => {
        const shown = c.req.valid('json')
        return c.json(
          await withReauthentication(deps, callerOf(c, deps), shown, () => startTotp(deps, ownerOf(c.var), shown)),
        )
      },
    )
    .post(
      '/user/totp/confirm',
      documented(
        "Turn on the second factor with the app's first code; ends all other sessions",
        respondsWith(200, 'The recovery codes, shown this once, and a bearer token', totpConfirmedSchema),
      ),
      signedIn,
      jsonOnly,
      validJson(totpCodeInput),
      async (c) => {
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
        return c.json(confirmed)
      },
    )
    .post(
      '/user/totp/off',
      documented('Turn the second factor off', respondsWith(204, 'Second factor turned off')),
      signedIn,
      jsonOnly,
      validJson(factorReauthenticationInput),
      async (c) => {
        const shown = c.req.valid('json')
        await withReauthentication(deps, callerOf(c, deps), shown, () => turnTotpOff(deps, ownerOf(c.var), shown))
        await note(c.var, 'second_factor_off')
        return c.body(null, 204)
      },
    )
    .post(
      '/user/recovery_codes',
      documented('Replace the recovery codes', respondsWith(200, 'The codes', recoveryCodesSchema)),
      signedIn,
      jsonOnly,
      validJson(factorReauthenticationInput),
      async (c) => {
        const shown = c.req.valid('json')
        const renew = () => renewRecoveryCodes(deps, ownerOf(c.var), shown)
        const codes = await withReauthentication(deps, callerOf(c, deps), shown, renew)
        return c.json({ recoveryCodes: codes })
      },
    )
    .post(
      '/user/passkeys/options',
      documented('Get options for creating a passkey', respondsWith(200, 'WebAuthn creation options')),
      signedIn,
      jsonOnly,
      validJson(factorReauthenticationInput),
      async (c) => {
        const shown = c.req.valid('json')
        return c.json(
          await withReauthentication(deps, callerOf(c, deps), shown, () => passkeyOptions(deps, ownerOf(c.var), shown)),
        )
      },
    )
    .post(
      '/user/passkeys',
      documented('Register a passkey', respondsWith(201, 'All passkeys', passkeyList)),
      signedIn,
      jsonOnly,
      validJson(addPasskeyInput),
      async (c) => {
        const response = c.req.valid('json').response as RegistrationResponseJSON
        const items = await addPasskey(deps, ownerOf(c.var), { response, userAgent: c.req.header('user-agent') })
        await note(c.var, 'passkey_added')
        return c.json({ items }, 201)
      },
    )
    .post(
      '/user/passkeys/:id/remove',
      documented('Remove a passkey', respondsWith(204, 'Removed')),
      signedIn,
      jsonOnly,
      validJson(factorReauthenticationInput),
      async (c) => {
        const shown = c.req.valid('json')
        const passkey = { ...ownerOf(c.var), id: c.req.param('id') }
        await withReauthentication(deps, callerOf(c, deps), shown, () => removePasskey(deps, passkey, shown))
        await note(c.var, 'passkey_removed')
        return c.body(null, 204)
      },
    )
}
