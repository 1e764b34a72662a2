import type { PGlite } from '@electric-sql/pglite'
import type { ConstructorOptions } from 'pg-boss'

/** What pg-boss talks to instead of a connection pool of its own. */
export type BossDatabase = NonNullable<ConstructorOptions['db']>

/**
 * The embedded database as pg-boss needs it. pg-boss ships `fromPglite`, but there a block `BEGIN …
 * COMMIT` that fails lets another waiting query onto the single connection before it is rolled
 * back; here such a block holds the connection until it has been.
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
