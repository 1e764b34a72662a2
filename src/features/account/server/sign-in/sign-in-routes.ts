import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Context } from 'hono'
import type { AccountDeps } from '#server/account-hooks.ts'
import { factorRuleFor } from '#server/auth/factors.ts'
import { requireSession } from '#server/auth/require-user.ts'
import { logout } from '#server/auth/sessions.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import type { AppEnv } from '#server/http/env.ts'
import { limitRate, resetRateLimit, withinRate } from '#server/http/rate-limit.ts'
import { route } from '#server/http/route.ts'
import { refuseForeignSite } from '#server/http/security-headers.ts'
import { translate } from '#server/i18n.ts'
import { refuseChangeInMaintenance } from '#server/maintenance.ts'
import {
  emailInput,
  linkInput,
  loginCodeInput,
  loginInput,
  loginPasskeyInput,
  loginTokenInput,
  messageSchema,
  registerInput,
  resetFactorsSchema,
  resetInput,
  tokenSchema,
  verificationInput,
  verificationSchema,
} from '../../schemas.ts'
import { ownerOfPasskey, signInOptions } from '../passkeys/passkeys.ts'
import { readResetFactors, resetPassword } from '../password/reset-password.ts'
import { loginVerified, loginWithToken } from '../providers/enter-with-provider.ts'
import {
  loginRules,
  mailRules,
  registerRules,
  resetRules,
  rulesResetBySuccess,
  tokenLoginRules,
  verificationRules,
} from '../rate-rules.ts'
import { register } from '../registration/register.ts'
import { verifyEmail, verifyRegistered, waitForVerification } from '../registration/verify-email.ts'
import { keepFactors } from '../second-factor/factor-removal.ts'
import {
  forgetSealed,
  isKnownDevice,
  makeDevice,
  readDevice,
  readRegistered,
  storeDeviceCookie,
  storeRegistration,
  storeSealed,
  takeSealed,
} from '../sessions/known-device.ts'
import { failedLinkResult, forgotPassword, resendConfirmation, respondInConstantTime } from './links.ts'
import { logFailedSignIn, login, loginWithCode, type SignInContext, type SignInOutcome, signIn } from './login.ts'

const signInErrors = ['auth.disabled', 'auth.email_unverified', 'second_factor.required'] as const

export function signInRoutes(deps: AccountDeps) {
  const signedIn = requireSession(deps)
  const withLocalRules = (c: Context<AppEnv>): AccountDeps => ({ ...deps, config: factorRuleFor(deps.config, c) })
  const placeOf = (c: Context<AppEnv>): SignInContext => ({
    userAgent: c.req.header('user-agent'),
    address: c.var.address,
    device: readDevice(c, deps.config) ?? makeDevice(),
  })
  /** Without a token the response requires the second step. */
  const enter = (c: Context<AppEnv>, outcome: SignInOutcome, { device }: SignInContext) => {
    if (outcome.token === undefined) {
      const { challenge, factors } = outcome
      throw appError('second_factor.required', { details: { challenge, factors: factors.join(' ') } })
    }
    storeDeviceCookie(c, deps.config, device)
    return { access_token: outcome.token }
  }
  return [
    route('register', 'POST /register', 'visitor', {
      summary: 'Register an account; the response is the same for a known address',
      input: { json: registerInput },
      output: { 201: ['An email is on its way', messageSchema] },
      errors: ['request.rate_limited', 'age.below_minimum'],
      handler: async (c) => {
        const input = c.req.valid('json')
        const rules = registerRules(c.var.address, input.email)
        const token = await withinRate(deps, rules, () => register(deps, input, c.var))
        await storeRegistration(c, deps.config, { token, email: input.email, now: deps.clock() })
        return { msg: translate(c.var.language, 'message.registered') }
      },
    }),
    route('verifyEmailByLink', 'GET /verify_email/:token', 'visitor', {
      summary: 'Verify an email address by its emailed link',
      output: { 302: 'Redirect to the sign-in page or the password form' },
      handler: async (c) => {
        const { token } = c.req.param()
        try {
          await refuseChangeInMaintenance(deps)
          const registered = await readRegistered(c, deps.config, deps.clock())
          const { resetToken, signInToken } = await verifyEmail(deps, token, registered?.token)
          if (signInToken) {
            await storeSealed(c, deps.config, 'verified', signInToken, deps.clock())
            forgetSealed(c, deps.config, 'registered')
          }
          return c.redirect(resetToken === undefined ? '/login?verified=1' : `/reset-password/${resetToken}?verified=1`)
        } catch (error) {
          return c.redirect(`/login?verified=${failedLinkResult(c, error)}`)
        }
      },
    }),
    route('verifyEmail', 'POST /verify_email', 'visitor', {
      summary: 'Complete a registration with the emailed code, or after the link was opened on another device',
      input: { json: verificationInput },
      output: { 200: ['A bearer token; empty until the address is verified', verificationSchema] },
      errors: [...signInErrors, 'auth.code_elsewhere', 'request.rate_limited', 'auth.code_wrong'],
      handler: async (c) => {
        const { code } = c.req.valid('json')
        const registered = await readRegistered(c, deps.config, deps.clock())
        if (!registered) {
          if (code === undefined) return {}
          throw appError('auth.code_elsewhere')
        }
        if (code !== undefined) await limitRate(deps, verificationRules(c.var.address, registered.email))
        const place = placeOf(c)
        const go = () => verifyRegistered(withLocalRules(c), { token: registered.token, code }, place)
        const { signedIn, resetToken } = await (code === undefined ? go() : respondInConstantTime(deps, go))
        if (signedIn === undefined && resetToken === undefined) return {}
        forgetSealed(c, deps.config, 'registered')
        return signedIn ? enter(c, signedIn, place) : { resetToken }
      },
    }),
    route('resendConfirmation', 'GET /resend_confirmation_email', 'visitor', {
      summary: 'Resend the verification email; the response is the same for any address',
      input: { query: emailInput },
      output: { 200: ['An email is on its way', messageSchema] },
      errors: ['request.rate_limited'],
      handler: async (c) => {
        refuseForeignSite(c.req.raw.headers)
        await refuseChangeInMaintenance(deps)
        const { email } = c.req.valid('query')
        await limitRate(deps, mailRules('resend', c.var.address, email))
        await respondInConstantTime(deps, () => resendConfirmation(deps, email))
        return { msg: translate(c.var.language, 'message.confirmation_sent') }
      },
    }),
    route('login', 'POST /login', 'visitor', {
      summary:
        'Sign in; if a second factor is required, the error `second_factor.required` carries the challenge for /api/login_code',
      input: { json: loginInput },
      output: { 200: ['A bearer token', tokenSchema] },
      errors: [...signInErrors, 'request.rate_limited', 'auth.invalid_credentials'],
      handler: async (c) => {
        const input = c.req.valid('json')
        const known = readDevice(c, deps.config)
        const trusted = (await isKnownDevice(deps.db, input.email, known)) ? known : undefined
        const rules = loginRules(c.var.address, input.email, trusted)
        const place = placeOf(c)
        const signIn = () => login(withLocalRules(c), input, place)
        const outcome = await withinRate(deps, rules, signIn).catch(async (error: unknown) => {
          // A client that shows the password may wait like the device of the registration.
          const isUnverified = error instanceof AppError && error.code === 'auth.email_unverified'
          const token = isUnverified ? await waitForVerification(deps, input.email) : undefined
          if (token) await storeRegistration(c, deps.config, { token, email: input.email, now: deps.clock() })
          throw error
        })
        await resetRateLimit(deps, rulesResetBySuccess(c.var.address, input.email, trusted))
        return enter(c, outcome, place)
      },
    }),
    route('loginWithCode', 'POST /login_code', 'visitor', {
      summary: 'Complete a sign-in with the second factor',
      input: { json: loginCodeInput },
      output: { 200: ['A bearer token', tokenSchema] },
      errors: [...signInErrors, 'second_factor.challenge_expired', 'second_factor.wrong_code', 'request.rate_limited'],
      handler: async (c) => {
        const place = placeOf(c)
        return enter(c, await loginWithCode(withLocalRules(c), c.req.valid('json'), place), place)
      },
    }),
    route('loginWithToken', 'POST /login_token', 'visitor', {
      summary: "Exchange the single-use token of a provider's popup, within a minute",
      input: { json: loginTokenInput },
      limits: (c) => tokenLoginRules(c.var.address),
      output: { 200: ['A bearer token', tokenSchema] },
      errors: [...signInErrors, 'auth.token_invalid'],
      handler: async (c) => {
        const place = placeOf(c)
        return enter(c, await loginWithToken(withLocalRules(c), c.req.valid('json').token, place), place)
      },
    }),
    route('loginVerified', 'POST /login_verified', 'visitor', {
      summary: 'Sign in on the device of the registration after opening the verification link',
      limits: (c) => tokenLoginRules(c.var.address),
      output: { 200: ['A bearer token', tokenSchema] },
      errors: [...signInErrors, 'auth.token_invalid'],
      handler: async (c) => {
        const token = await takeSealed(c, deps.config, 'verified', deps.clock())
        if (token === undefined) throw appError('auth.token_invalid')
        const place = placeOf(c)
        return enter(c, await loginVerified(withLocalRules(c), token, place), place)
      },
    }),
    route('createSignInOptions', 'POST /passkey_options', 'visitor', {
      summary: 'Get options for signing in with a passkey',
      limits: (c) => tokenLoginRules(c.var.address),
      output: { 200: 'WebAuthn request options' },
      errors: ['request.not_found'],
      handler: () => signInOptions(deps),
    }),
    route('loginWithPasskey', 'POST /login_passkey', 'visitor', {
      summary: 'Sign in with a passkey',
      input: { json: loginPasskeyInput },
      limits: (c) => tokenLoginRules(c.var.address),
      output: { 200: ['A bearer token', tokenSchema] },
      errors: [...signInErrors, 'request.not_found', 'passkey.refused', 'auth.invalid_credentials'],
      handler: async (c) => {
        const place = placeOf(c)
        const { response, remember } = c.req.valid('json')
        const outcome = await logFailedSignIn(deps, null, place, async () => {
          const user = await ownerOfPasskey(deps, response as AuthenticationResponseJSON)
          return await signIn(withLocalRules(c), user, { method: 'passkey', remember, place })
        })
        return enter(c, outcome, place)
      },
    }),
    route('logout', 'POST /logout', signedIn, {
      summary: 'Sign out of the current session',
      output: { 204: 'Session ended; the token is invalid' },
      handler: (c) => logout(deps, { userId: c.var.user.id, sessionId: c.var.sessionId }),
    }),
    route('forgotPassword', 'POST /forgot_password', 'visitor', {
      summary: 'Request a password reset link; the response is the same for any address',
      input: { json: emailInput },
      limits: (c) => mailRules('forgot', c.var.address, c.req.valid('json').email),
      output: { 200: ['An email is on its way', messageSchema] },
      handler: async (c) => {
        const { email } = c.req.valid('json')
        await respondInConstantTime(deps, () => forgotPassword(deps, email))
        return { msg: translate(c.var.language, 'message.reset_sent') }
      },
    }),
    route('readResetFactors', 'GET /reset_password/:token', 'visitor', {
      summary: "Get the second factors of a reset link's account; they stay unless their removal is requested",
      limits: (c) => resetRules(c.var.address),
      output: { 200: ['The second factors', resetFactorsSchema] },
      handler: (c) => readResetFactors(deps, c.req.param('token')),
    }),
    route('keepFactors', 'POST /keep_factors', 'visitor', {
      summary: 'Cancel the removal of second factors by the link in the notice',
      input: { json: linkInput },
      limits: (c) => tokenLoginRules(c.var.address),
      output: { 200: ['The second factors stay', messageSchema] },
      errors: ['auth.token_invalid'],
      handler: async (c) => {
        const { address, language } = c.var
        await keepFactors(deps, { address }, c.req.valid('json'))
        return { msg: translate(language, 'message.factors_kept') }
      },
    }),
    route('resetPassword', 'POST /reset_password/:token', 'visitor', {
      summary: 'Set a new password with the token of a reset link',
      input: { json: resetInput },
      output: { 200: ['All sessions have ended', messageSchema] },
      errors: ['request.rate_limited', 'auth.token_invalid'],
      handler: async (c) => {
        const { password, confirmPassword, removeFactors } = c.req.valid('json')
        if (confirmPassword !== undefined && confirmPassword !== password) {
          const problem = confirmPassword === '' ? 'confirmPasswordRequired' : 'passwordsMustMatch'
          throw appError('form.invalid', { details: { confirmPassword: `resetPassword.${problem}` } })
        }
        await limitRate(deps, resetRules(c.var.address))
        const device = readDevice(c, deps.config) ?? makeDevice()
        const { address } = c.var
        await resetPassword(deps, { token: c.req.param('token'), password, removeFactors, device, address })
        storeDeviceCookie(c, deps.config, device)
        return { msg: translate(c.var.language, 'message.password_reset') }
      },
    }),
  ]
}
