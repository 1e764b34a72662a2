import { ageBands, guardianStates } from '#shared/age.ts'
import { isEmail, normalizeEmail } from '#shared/credentials.ts'
import { type } from '#shared/schema.ts'
import { guardianDecisions, linkStates } from './rules.ts'

const ageFields = {
  birthYear: 'number.integer | null',
  band: type.enumerated(...ageBands),
  guardian: type.enumerated(...guardianStates),
  guardianEmail: 'string | null',
  dueAt: type('string | null').describe('without a birth year nothing new can be started from then on'),
  closesAt: type('string | null').describe('the account closes then unless the guardian consents'),
} as const

export const ageSchema = type(ageFields)
export type AgeView = typeof ageSchema.infer

export const toldAgeSchema = type({
  ...ageFields,
  closed: type('boolean').describe('the account was closed, because its user is too young'),
})
export type ToldAge = typeof toldAgeSchema.infer

/** `close`: the user knows that the account of a child below the minimum age is erased. */
export const birthYearInput = type({ birthYear: 'number.integer', close: 'boolean = false' })

export const guardianInput = type({
  email: type('string')
    .narrow((value, context) => isEmail(value.trim()) || context.mustBe('login.invalidEmail'))
    .pipe(normalizeEmail),
})

/** Page of a guardian's link; about the minor only while the account exists. */
export const guardianLinkSchema = type({
  state: type.enumerated(...linkStates),
  name: 'string',
  email: 'string',
  birthYear: 'number.integer | null',
  adultAge: 'number.integer',
  version: type('string').describe('version of the text that is agreed to'),
  givenAt: 'string | null',
  closesAt: 'string | null',
  mayRevoke: type('boolean').describe('true for the link of the confirmation mail'),
})
export type GuardianLink = typeof guardianLinkSchema.infer

/** `version` is the version of the shown text; only a consent needs it. */
export const decisionInput = type({
  decision: type.enumerated(...guardianDecisions),
  'version?': '1 <= string <= 40',
})
