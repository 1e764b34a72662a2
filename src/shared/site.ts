import { type } from '#shared/schema.ts'

/** Kinds of data that are deleted after a number of days. */
export const retentionKinds = [
  'inputs',
  'results',
  'custom_edits',
  'shared_results',
  'idle_sessions',
  'security_log',
  'sent_mails',
  'error_reports',
] as const
export type RetentionKind = (typeof retentionKinds)[number]

export const siteSchema = type({
  supportEmail: 'string',
  welcomeCredits: type('number.integer').describe('free credits of a new account, after its e-mail is verified'),
  dataOfficer: { name: 'string | null', email: 'string' },
  pseNumber: type('string | null').describe('registration as an electronic system provider in Indonesia'),
  complaints: { email: 'string', phone: 'string | null' },
  age: type({
    minimum: 'number.integer',
    adult: 'number.integer',
    needsGuardian: 'boolean',
    guardianDays: 'number.integer',
  })
    .or('null')
    .describe('rules by full years of age; null: none'),
  retention: type({ kind: type.enumerated(...retentionKinds), days: 'number.integer' }).array(),
})
export type Site = typeof siteSchema.infer
