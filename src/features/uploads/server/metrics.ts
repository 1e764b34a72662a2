import { count, isNull } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { MetricSource } from '#server/metrics.ts'
import { uploads } from './table.ts'

export const uploadMetrics: readonly MetricSource<Pick<Deps, 'db'>>[] = [
  {
    name: 'rupa_uploads',
    help: 'Unused uploads by status',
    labels: ['status'],
    async read({ db }) {
      const { status, usedAt } = uploads
      const rows = await db.select({ status, open: count() }).from(uploads).where(isNull(usedAt)).groupBy(status)
      return rows.map(({ status, open }) => ({ labels: { status }, value: open }))
    },
  },
]
