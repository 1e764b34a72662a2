import { adminQuery } from '#ui/admin/queries.ts'
import type { Period } from '../rules.ts'
import type { Dashboard } from '../schemas.ts'

export const dashboardQuery = (period: Period) => ({
  ...adminQuery<Dashboard>('dashboard', { period }),
  staleTime: 60_000,
  refetchInterval: 120_000,
})
