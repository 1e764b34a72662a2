// Commits rows and reports each to the parent, until killed.
import { gte } from 'drizzle-orm'
import { openDatabase } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { createLog } from '#server/log.ts'

const [dataDir = '', first = '0'] = process.argv.slice(2)
const { db } = await openDatabase({ dataDir, databaseUrl: undefined }, createLog('silent'))
await db.delete(rateLimits).where(gte(rateLimits.hits, Number(first)))
for (let number = Number(first); ; number += 1) {
  await transact(db, (tx) => tx.insert(rateLimits).values({ key: `row ${number}`, hits: number, resetsAt: new Date() }))
  process.send?.(number)
}
