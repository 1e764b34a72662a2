import { ageBands, guardianStates } from '#shared/age.ts'
import { pageFields } from '#shared/paging.ts'
import { duties, roles } from '#shared/roles.ts'
import { personFields, reason, type } from '#shared/schema.ts'
import { accountStates, linkMails, noteMax, tagMax, tagsMax, userSorts } from '../rules.ts'

/** Restricts an admin to certain permissions; null allows everything. */
const duty = type.enumerated(...duties).or('null')

/** `search` is an id, or beginnings of words of the name and the address. */
export const listUsersInput = type({
  'search?': type('string.trim').to('string <= 200'),
  'role?': type.enumerated(...roles),
  'tag?': `string <= ${tagMax}` as const,
  'status?': type.enumerated(...accountStates),
  'age?': type.enumerated(...ageBands),
  'sort?': type.enumerated(...userSorts),
  ...pageFields,
})

/** Absent fields stay unchanged. Every change ends all sessions of the account. */
export const accountStatusInput = type({
  'role?': type.enumerated(...roles),
  'duty?': duty,
  'disabled?': 'boolean',
  reason,
})

/** Readable by staff only. */
export const accountNoteInput = type({
  note: type('string.trim').to(`string <= ${noteMax}` as const),
  tags: type('string.trim.preformatted')
    .to(`1 <= string <= ${tagMax}` as const)
    .array()
    .atMostLength(tagsMax),
})

export const linkMailInput = type({ template: type.enumerated(...linkMails), reason })

export const askAgeInput = type({ reason })

/** A reason, and credentials that prove the admin's presence. */
export const accountSecurityInput = type({
  reason,
  'password?': 'string >= 1',
  'confirmation?': '1 <= string <= 200',
})

export const accountStatusSchema = type({ role: type.enumerated(...roles), duty, disabled: 'boolean' })
export type AccountStatus = typeof accountStatusSchema.infer

export const adminUserSchema = type({
  ...personFields,
  disabled: 'boolean',
  tags: 'string[]',
  verified: 'boolean',
  credits: 'number.integer >= 0',
  createdAt: 'string',
})
export type AdminUserView = typeof adminUserSchema.infer

export const adminUserDetailSchema = adminUserSchema.and({
  factors: { totp: 'boolean', passkeys: 'number.integer >= 0' },
  note: 'string',
  /** The birth year itself is the user's. */
  age: { band: type.enumerated(...ageBands), guardian: type.enumerated(...guardianStates) },
  /** Oldest first. */
  changes: type({
    adminId: 'string | null',
    before: accountStatusSchema,
    after: accountStatusSchema,
    reason: 'string',
    createdAt: 'string',
  }).array(),
})
export type AdminUserDetail = typeof adminUserDetailSchema.infer

const count = type('number.integer >= 0')

export const userSummarySchema = type({
  credits: count,
  unlimitedUntil: 'string | null',
  generations: count,
  failedGenerations: count,
  lastGenerationAt: 'string | null',
  paidOrders: count,
  paidIdr: count,
  refundRequests: count,
  sessions: type({
    id: 'string',
    device: 'string | null',
    createdAt: 'string',
    lastSeenAt: 'string',
    secondFactor: 'boolean',
  }).array(),
})
export type UserSummary = typeof userSummarySchema.infer
