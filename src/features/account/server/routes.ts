import { type } from 'arktype'
import { Hono } from 'hono'
import type { AccountDeps } from '#server/account-hooks.ts'
import { appError } from '#server/http/app-error.ts'
import { answers, documented } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { forgiveRate, limitRate } from '#server/http/rate-limit.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import { translate } from '#server/i18n.ts'
import { emailInput, loginInput, registerInput, resetInput } from '../contract.ts'
import { adminAccountRoutes } from './admin-routes.ts'
import { forgotPassword } from './forgot-password.ts'
import { isKnownDevice, keepDevice, makeDevice, readDevice } from './known-device.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { onTheBeat } from './on-the-beat.ts'
import { profileRoutes } from './profile-routes.ts'
import { providerRoutes } from './providers/provider-routes.ts'
import { forgivenRules, loginRules, mailRules, registerRules, resetRules } from './rate-rules.ts'
import { register } from './register.ts'
import { requireUser } from './require-user.ts'
import { resendConfirmation } from './resend-confirmation.ts'
import { resetPassword } from './reset-password.ts'
import { verifyEmail } from './verify-email.ts'

const message = type({ msg: 'string' })
/** No token needed. */
const open = { security: [] }

/** The account's part of the API; paths are relative to /api. */
export function accountRoutes(deps: AccountDeps) {
  return new Hono<UserEnv>()
    .route('/', entranceRoutes(deps))
    .route('/', providerRoutes(deps))
    .route('/', profileRoutes(deps))
    .route('/admin', adminAccountRoutes(deps))
}

/** The ways in and out. */
function entranceRoutes(deps: AccountDeps) {
  const signedIn = requireUser(deps)
  return new Hono<UserEnv>()
    .post(
      '/register',
      documented(
        'Open an account; the answer is the same for a known address',
        answers(201, 'A mail is on its way', message),
        open,
      ),
      jsonOnly,
      validJson(registerInput),
      async (c) => {
        const input = c.req.valid('json')
        await limitRate(deps, registerRules(c.var.address, input.email))
        await register(deps, input, c.var.language)
        return c.json({ msg: translate(c.var.language, 'answer.registered') }, 201)
      },
    )
    .get(
      '/verify_email/:token',
      documented(
        'The link of the verification mail',
        answers(302, 'To the sign-in page, or to choose a password'),
        open,
      ),
      async (c) => {
        const { token } = c.req.param()
        try {
          const { resetToken } = await verifyEmail(deps, token)
          return c.redirect(resetToken === undefined ? '/login?verified=1' : `/reset-password/${resetToken}?verified=1`)
        } catch (error) {
          // A person who opens an old link gets a page, a program the reason.
          if (!c.req.header('accept')?.includes('text/html')) throw error
          return c.redirect('/login?verified=0')
        }
      },
    )
    .get(
      '/resend_confirmation_email',
      documented(
        'Send the verification mail again; the answer is the same for any address',
        answers(200, 'A mail is on its way', message),
        open,
      ),
      valid('query', emailInput),
      async (c) => {
        const { email } = c.req.valid('query')
        await limitRate(deps, mailRules('resend', c.var.address, email))
        await onTheBeat(() => resendConfirmation(deps, email))
        return c.json({ msg: translate(c.var.language, 'answer.confirmation_sent') })
      },
    )
    .post(
      '/login',
      documented('Sign in', answers(200, 'A bearer token', type({ access_token: 'string' })), open),
      jsonOnly,
      validJson(loginInput),
      async (c) => {
        const input = c.req.valid('json')
        const known = readDevice(c)
        const trusted = (await isKnownDevice(deps.db, input.email, known)) ? known : undefined
        await limitRate(deps, loginRules(c.var.address, input.email, trusted))
        const device = known ?? makeDevice()
        const access_token = await login(deps, input, { userAgent: c.req.header('user-agent'), device })
        await forgiveRate(deps, forgivenRules(c.var.address, input.email, trusted))
        keepDevice(c, deps.config, device)
        return c.json({ access_token })
      },
    )
    .post(
      '/logout',
      documented('End this session', answers(204, 'The token is worth nothing any more')),
      signedIn,
      async (c) => {
        await logout(deps, { userId: c.var.user.id, sessionId: c.var.sessionId })
        return c.body(null, 204)
      },
    )
    .post(
      '/forgot_password',
      documented(
        'Ask for a reset link; the answer is the same for any address',
        answers(200, 'A mail is on its way', message),
        open,
      ),
      jsonOnly,
      validJson(emailInput),
      async (c) => {
        const { email } = c.req.valid('json')
        await limitRate(deps, mailRules('forgot', c.var.address, email))
        await onTheBeat(() => forgotPassword(deps, email))
        return c.json({ msg: translate(c.var.language, 'answer.reset_sent') })
      },
    )
    .post(
      '/reset_password/:token',
      documented(
        'Set a new password with the token of a reset link',
        answers(200, 'All sessions have ended', message),
        open,
      ),
      jsonOnly,
      validJson(resetInput),
      async (c) => {
        const { password, confirmPassword } = c.req.valid('json')
        if (confirmPassword !== undefined && confirmPassword !== password) {
          const problem = confirmPassword === '' ? 'confirmPasswordRequired' : 'passwordsMustMatch'
          throw appError('form.invalid', { confirmPassword: `resetPassword.${problem}` })
        }
        await limitRate(deps, resetRules(c.var.address))
        const device = readDevice(c) ?? makeDevice()
        await resetPassword(deps, { token: c.req.param('token'), password, device })
        keepDevice(c, deps.config, device)
        return c.json({ msg: translate(c.var.language, 'answer.password_reset') })
      },
    )
}
