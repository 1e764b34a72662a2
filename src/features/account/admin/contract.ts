import { pageSize } from '#contract/paging.ts'
import { roles } from '#contract/roles.ts'
import { type } from '#contract/schema.ts'

/**
 * An account as a list of accounts may be narrowed to: whole, waiting for its address to be
 * verified, shut out.
 */
export const accountStates = ['active', 'unverified', 'disabled'] as const

/** Orders of the list of accounts: by age, or by a text. */
export const userSorts = ['newest', 'oldest', 'name', 'email'] as const
export type UserSort = (typeof userSorts)[number]

/** GET /api/admin/users; `search` is an id, or beginnings of words of the name and the address. */
export const listUsersInput = /* @__PURE__ */ type({
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
export const accountStatusInput = /* @__PURE__ */ type({
  'role?': type.enumerated(...roles),
  'disabled?': 'boolean',
  reason: type('string.trim').to('1 <= string <= 500'),
})

/**
 * POST /api/admin/users/{id}/reset_factors and /end_sessions: why, and proof that it is the admin.
 */
export const accountSecurityInput = /* @__PURE__ */ type({
  reason: type('string.trim').to('1 <= string <= 500'),
  'password?': 'string >= 1',
  'confirmation?': '1 <= string <= 200',
})

/** What an account may do at all. */
export const accountStatusSchema = /* @__PURE__ */ type({ role: type.enumerated(...roles), disabled: 'boolean' })
export type AccountStatus = typeof accountStatusSchema.infer

/** GET /api/admin/users, the newest first */
export const adminUserSchema = /* @__PURE__ */ type({
  id: 'string',
  name: 'string',
  email: 'string',
  role: type.enumerated(...roles),
  disabled: 'boolean',
  verified: 'boolean',
  credits: 'number.integer >= 0',
  createdAt: 'string',
})
export type AdminUserView = typeof adminUserSchema.infer

/** GET /api/admin/users/{id} */
export const adminUserDetailSchema = /* @__PURE__ */ adminUserSchema.and({
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
export type AdminUserDetail = typeof adminUserDetailSchema.infer
