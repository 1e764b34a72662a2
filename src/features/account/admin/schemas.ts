import { pageCursor, pageSize } from '#contract/paging.ts'
import { duties, roles } from '#contract/roles.ts'
import { type } from '#contract/schema.ts'
import { reason } from '#features/audit/schemas.ts'
import { accountStates, linkMails, noteMax, tagMax, tagsMax, userSorts } from './rules.ts'

/** What an admin is kept to; null for everything. */
const duty = type.enumerated(...duties).or('null')

/** GET /api/admin/users; `search` is an id, or beginnings of words of the name and the address. */
export const listUsersInput = type({
  'search?': type('string.trim').to('string <= 200'),
  'role?': type.enumerated(...roles),
  'tag?': `string <= ${tagMax}` as const,
  'status?': type.enumerated(...accountStates),
  'sort?': type.enumerated(...userSorts),
  'cursor?': pageCursor,
  'limit?': pageSize,
})

/**
 * PATCH /api/admin/users/{id}; what is not given stays. Every session of the account ends with a
 * change.
 */
export const accountStatusInput = type({
  'role?': type.enumerated(...roles),
  'duty?': duty,
  'disabled?': 'boolean',
  reason,
})

/** PUT /api/admin/users/{id}/note: what only staff read. */
export const accountNoteInput = type({
  note: type('string.trim').to(`string <= ${noteMax}` as const),
  tags: type('string.trim.preformatted')
    .to(`1 <= string <= ${tagMax}` as const)
    .array()
    .atMostLength(tagsMax),
})

/** POST /api/admin/users/{id}/mails: a link that the person asked staff for. */
export const linkMailInput = type({ template: type.enumerated(...linkMails), reason })

/**
 * POST /api/admin/users/{id}/reset_factors and /end_sessions: why, and credentials that show that
 * it is the admin.
 */
export const accountSecurityInput = type({
  reason,
  'password?': 'string >= 1',
  'confirmation?': '1 <= string <= 200',
})

/** What an account may do at all. */
export const accountStatusSchema = type({ role: type.enumerated(...roles), duty, disabled: 'boolean' })

/** GET /api/admin/users, the newest first */
export const adminUserSchema = type({
  id: 'string',
  name: 'string',
  email: 'string',
  role: type.enumerated(...roles),
  duty,
  disabled: 'boolean',
  tags: 'string[]',
  verified: 'boolean',
  credits: 'number.integer >= 0',
  createdAt: 'string',
})

/** GET /api/admin/users/{id} */
export const adminUserDetailSchema = adminUserSchema.and({
  /** What the account has beside its password. */
  factors: { totp: 'boolean', passkeys: 'number.integer >= 0' },
  note: 'string',
  /** Oldest first. */
  changes: type({
    adminId: 'string | null',
    before: accountStatusSchema,
    after: accountStatusSchema,
    reason: 'string',
    createdAt: 'string',
  }).array(),
})
