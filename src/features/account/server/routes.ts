import { Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { forgiveRate, limitRate } from '#server/http/rate-limit.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import { translate } from '#server/i18n.ts'
import { emailInput, loginInput, profileInput, registerInput, resetInput } from '../contract.ts'
import { forgotPassword } from './forgot-password.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { changeLanguage, readProfile } from './profile.ts'
import { loginRules, mailRules, registerRules, resetRules } from './rate-rules.ts'
import { register } from './register.ts'
import { requireUser } from './require-user.ts'
import { resendConfirmation } from './resend-confirmation.ts'
import { resetPassword } from './reset-password.ts'
import { verifyEmail } from './verify-email.ts'

/** The account's part of the API; paths are relative to /api. */
export function accountRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  return new Hono<UserEnv>()
    .post(
      '/register',
      describeRoute({ summary: 'Open an account; the answer is the same for a known address' }),
      jsonOnly,
      validJson(registerInput),
      async (c) => {
        const input = c.req.valid('json')
        await limitRate(deps, registerRules(c.var.address, input.email))
        await register(deps, input, c.var.language)
        return c.json({ msg: translate(c.var.language, 'answer.registered') }, 201)
      },
    )
    .get('/verify_email/:token', describeRoute({ summary: 'The link of the verification mail' }), async (c) => {
      const { token } = c.req.param()
      try {
        await verifyEmail(deps, token)
      } catch (error) {
        // A person who opens an old link gets a page, a program the reason.
        if (!c.req.header('accept')?.includes('text/html')) throw error
        return c.redirect('/login?verified=0')
      }
      return c.redirect('/login?verified=1')
    })
    .get(
      '/resend_confirmation_email',
      describeRoute({ summary: 'Send the verification mail again; the answer is the same for any address' }),
      valid('query', emailInput),
      async (c) => {
        const { email } = c.req.valid('query')
        await limitRate(deps, mailRules('resend', c.var.address, email))
        await resendConfirmation(deps, email)
        return c.json({ msg: translate(c.var.language, 'answer.confirmation_sent') })
      },
    )
    .post('/login', describeRoute({ summary: 'Sign in' }), jsonOnly, validJson(loginInput), async (c) => {
      const input = c.req.valid('json')
      const rules = loginRules(c.var.address, input.email)
      await limitRate(deps, rules)
      const answer = await login(deps, input, c.req.header('user-agent'))
      await forgiveRate(deps, rules.slice(1))
      return c.json(answer)
    })
    .post('/logout', describeRoute({ summary: 'End this session' }), signedIn, async (c) => {
      await logout(deps, { userId: c.var.user.id, sessionId: c.var.sessionId })
      return c.body(null, 204)
    })
    .post(
      '/forgot_password',
      describeRoute({ summary: 'Ask for a reset link; the answer is the same for any address' }),
      jsonOnly,
      validJson(emailInput),
      async (c) => {
        const { email } = c.req.valid('json')
        await limitRate(deps, mailRules('forgot', c.var.address, email))
        await forgotPassword(deps, email)
        return c.json({ msg: translate(c.var.language, 'answer.reset_sent') })
      },
    )
    .post(
      '/reset_password/:token',
      describeRoute({ summary: 'Set a new password with the token of a reset link' }),
      jsonOnly,
      validJson(resetInput),
      async (c) => {
        const { password, confirmPassword } = c.req.valid('json')
        if (confirmPassword !== undefined && confirmPassword !== password) {
          throw appError('form.invalid', { confirmPassword: 'resetPassword.passwordsMustMatch' })
        }
        await limitRate(deps, resetRules(c.var.address))
        await resetPassword(deps, { token: c.req.param('token'), password })
        return c.json({ msg: translate(c.var.language, 'answer.password_reset') })
      },
    )
    .get('/user/me', describeRoute({ summary: 'The signed-in user' }), signedIn, async (c) =>
      c.json(await readProfile(deps, c.var.user.id)),
    )
    .patch(
      '/user/me',
      describeRoute({ summary: 'Change the language of mails' }),
      signedIn,
      jsonOnly,
      validJson(profileInput),
      async (c) => c.json(await changeLanguage(deps, c.var.user.id, c.req.valid('json').language)),
    )
}
