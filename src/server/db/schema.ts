// Every feature's tables, gathered for Drizzle and its migrations.
export * from '#features/account/server/table.ts'
export * from '#features/audit/server/table.ts'
export * from '#features/billing/server/table.ts'
export * from '#features/credits/server/table.ts'
export * from '#features/generations/server/table.ts'
export * from '#features/uploads/server/table.ts'
export * from '../http/rate-limit-table.ts'
export * from '../mail/table.ts'
