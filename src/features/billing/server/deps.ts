import type { Deps } from '#server/deps.ts'

export type BillingDeps = Pick<Deps, 'config' | 'clock' | 'log' | 'db' | 'store' | 'jobs'>
