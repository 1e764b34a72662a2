import type { Deps } from '#server/deps.ts'

/** What billing works with. */
export type BillingDeps = Pick<Deps, 'config' | 'clock' | 'log' | 'db' | 'store' | 'jobs'>
