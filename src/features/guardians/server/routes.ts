import { account } from '#features/account/server/account.ts'
import type { AccountDeps } from '#server/account-hooks.ts'
import { requireUser } from '#server/auth/require-user.ts'
import type { RateRule } from '#server/http/rate-limit.ts'
import { route } from '#server/http/route.ts'
import {
  ageSchema,
  birthYearInput,
  decisionInput,
  guardianInput,
  guardianLinkSchema,
  toldAgeSchema,
} from '../schemas.ts'
import { decideAsGuardian, readGuardianLink, resendRevocation } from './guardian-link.ts'
import { nameGuardian, readOwnAge, tellBirthYear } from './own-age.ts'

const linkRules = (address: string): RateRule[] => [
  { rule: 'guardian-link:ip', subject: address, limit: 60, seconds: 900 },
]

export function guardianRoutes(deps: AccountDeps) {
  const signedIn = requireUser(deps)
  return [
    route('readAge', 'GET /user/age', signedIn, {
      summary: 'Get your age band and the state of your guardian’s consent',
      output: { 200: ['The standing', ageSchema] },
      handler: (c) => readOwnAge(deps, c.var.user.id),
    }),
    route('tellBirthYear', 'POST /user/age', signedIn, {
      summary: 'Tell your birth year, once; with `close` an account below the minimum age is closed and erased',
      input: { json: birthYearInput },
      limits: (c) => [{ rule: 'birth-year:user', subject: c.var.user.id, limit: 20, seconds: 3600 }],
      output: { 200: ['The standing', toldAgeSchema] },
      errors: ['age.below_minimum', 'age.known'],
      handler: (c) => tellBirthYear(deps, c.var.user.id, c.req.valid('json')),
    }),
    route('nameGuardian', 'POST /user/guardian', signedIn, {
      summary: 'Name your parent or guardian, who is asked by email; repeat to send the email again',
      input: { json: guardianInput },
      limits: (c) => [
        { rule: 'guardian:user', subject: c.var.user.id, limit: 10, seconds: 24 * 3600 },
        ...account.mailRules('guardian', c.var.address, c.req.valid('json').email),
      ],
      output: { 200: ['The standing', ageSchema] },
      errors: ['guardian.not_needed'],
      handler: (c) => nameGuardian(deps, c.var.user, c.req.valid('json').email),
    }),
    route('readGuardianLink', 'GET /guardian_consents/:token', 'visitor', {
      summary: 'Get what a guardian’s emailed link decides',
      limits: (c) => linkRules(c.var.address),
      output: { 200: ['The state', guardianLinkSchema] },
      errors: ['auth.token_invalid'],
      handler: (c) => readGuardianLink(deps, c.req.param('token')),
    }),
    route('decideAsGuardian', 'POST /guardian_consents/:token', 'visitor', {
      summary: 'Consent, refuse or revoke as the guardian; a refusal closes and erases the account',
      input: { json: decisionInput },
      limits: (c) => linkRules(c.var.address),
      output: { 200: ['The state', guardianLinkSchema] },
      errors: ['auth.token_invalid', 'consent.outdated', 'guardian.too_young'],
      handler: (c) => {
        const { address } = c.var
        return decideAsGuardian(deps, { token: c.req.param('token'), address }, c.req.valid('json'))
      },
    }),
    route('resendRevocation', 'POST /guardian_consents/:token/resend', 'visitor', {
      summary: 'Resend the email with the link that revokes the consent, to the guardian',
      limits: (c) => [
        ...linkRules(c.var.address),
        { rule: 'guardian-resend:token', subject: c.req.param('token'), limit: 3, seconds: 24 * 3600 },
      ],
      output: { 204: 'On its way' },
      errors: ['auth.token_invalid'],
      handler: (c) => resendRevocation(deps, c.req.param('token')),
    }),
  ]
}
