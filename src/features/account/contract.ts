import { type } from 'arktype'
import { isEmail, normalizeEmail } from '#contract/email.ts'
import { type Language, languages } from '#contract/language.ts'
import { passwordProblem } from '#contract/password.ts'
import type { Role } from '#contract/roles.ts'

/** The user as it stands in the access token's `sub` and in answers. */
export interface AuthUser {
  id: string
  name: string
  email: string
  role: Role
}

/** Claims of the access token (JWT, HS256): the specification's `sub` and `exp`, and the session it belongs to. */
export interface TokenClaims {
  sub: AuthUser
  sid: string
  /** Seconds since 1970. */
  iat: number
  exp: number
}

const email = type('string')
  .narrow((value, context) => isEmail(value.trim()) || context.mustBe('login.invalidEmail'))
  .pipe(normalizeEmail)
const newPassword = type('string <= 200').narrow((value, context) => {
  const problem = passwordProblem(value)
  return problem === null || context.mustBe(problem)
})

/** POST /api/login */
export const loginInput = /* @__PURE__ */ type({ email, password: '1 <= string <= 200', remember: 'boolean = false' })

/** POST /api/register; the interface removes confirmPassword before sending. */
export const registerInput = /* @__PURE__ */ type({
  name: type('string.trim').to('1 <= string <= 100'),
  email,
  password: newPassword,
  agreeToTerms: type('true'),
})

/** GET /api/resend_confirmation_email?email= and POST /api/forgot_password */
export const emailInput = /* @__PURE__ */ type({ email })

/** POST /api/reset_password/{token}; the confirmation is compared when it is sent. */
export const resetInput = /* @__PURE__ */ type({ password: newPassword, 'confirmPassword?': 'string' })

/** PATCH /api/user/me */
export const profileInput = /* @__PURE__ */ type({ language: type.enumerated(...languages) })

/** POST /api/login */
export interface LoginAnswer {
  access_token: string
}

/** GET /api/user/me */
export interface Profile extends AuthUser {
  language: Language
  createdAt: string
}
