import { pageSize } from '#contract/paging.ts'
import { roles } from '#contract/roles.ts'
import { type } from '#contract/schema.ts'
import { reason } from '#features/audit/schemas.ts'
import { accountStates, userSorts } from './rules.ts'

/** GET /api/admin/users; `search` is an id, or beginnings of words of the name and the address. */
export const listUsersInput = type({
  'search?': type('string.trim').to('string <= 200'),
  'role?': type.enumerated(...roles),
  'status?': type.enumerated(...accountStates),
  'sort?': type.enumerated(...userSorts),
  'cursor?': 'string.uuid',
  'limit?': pageSize,
})

/**
 * PATCH /api/admin/users/{id}; what is not given stays. Every session of the account ends with a
 * change.
 */
export const accountStatusInput = type({
  'role?': type.enumerated(...roles),
  'disabled?': 'boolean',
  reason,
})

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
export const accountStatusSchema = type({ role: type.enumerated(...roles), disabled: 'boolean' })

/** GET /api/admin/users, the newest first */
export const adminUserSchema = type({
  id: 'string',
  name: 'string',
  email: 'string',
  role: type.enumerated(...roles),
  disabled: 'boolean',
  verified: 'boolean',
  credits: 'number.integer >= 0',
  createdAt: 'string',
})

/** GET /api/admin/users/{id} */
export const adminUserDetailSchema = adminUserSchema.and({
  /** What the account has beside its password. */
  factors: { totp: 'boolean', passkeys: 'number.integer >= 0' },
  /** Oldest first. */
  changes: type({
    adminId: 'string | null',
    before: accountStatusSchema,
    after: accountStatusSchema,
    reason: 'string',
    createdAt: 'string',
  }).array(),
})
