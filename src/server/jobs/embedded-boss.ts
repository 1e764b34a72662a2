import type { PGlite } from '@electric-sql/pglite'
import type { ConstructorOptions } from 'pg-boss'

/** Database interface of pg-boss instead of its own connection pool. */
export type BossDatabase = NonNullable<ConstructorOptions['db']>

/**
 * Adapts PGlite to pg-boss. Its own `fromPglite` lets a waiting query in between a failed `BEGIN …
 * COMMIT` block and the rollback; here the block holds the connection.
 */
export function embeddedBoss(pglite: PGlite): BossDatabase {
  return {
    async executeSql(text, values) {
      if (values?.length) return pglite.query(text, values)
      const results = /^\s*begin\b/i.test(text)
        ? await pglite.transaction((transaction) => transaction.exec(text))
        : await pglite.exec(text)
      return { rows: results.flatMap((result) => result.rows) }
    },
  }
}
