import { like, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'

/** Real hits would cost a password hash or an engine run each. */
export async function countHits(db: Database, rule: string, hits: number): Promise<void> {
  const raised = { hits: sql`${rateLimits.hits} + ${hits}` }
  const counted = await db
    .update(rateLimits)
    .set(raised)
    .where(like(rateLimits.key, `${rule}:%`))
    .returning()
  if (counted.length === 0) throw new Error(`the rule ${rule} has counted no hit`)
}
