import type * as schemas from './schemas.ts'

export type AccountStatus = typeof schemas.accountStatusSchema.infer

export type AdminUserView = typeof schemas.adminUserSchema.infer

export type AdminUserDetail = typeof schemas.adminUserDetailSchema.infer
