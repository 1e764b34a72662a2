import type { Deps } from '#server/deps.ts'

/** Dependencies of billing. */
export type BillingDeps = Pick<Deps, 'config' | 'clock' | 'log' | 'db' | 'store' | 'jobs'>
