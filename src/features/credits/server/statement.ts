import type { Executor } from '#server/db/database.ts'

/**
 * A statement that PostgreSQL parses and plans once a connection. Written as text because the whole
 * change of an account has to be one round trip; parameters are `$1`, `$2` …, cast where they are
 * used.
 */
export function statement<Row>(name: string, text: string) {
  return async (executor: Executor, params: readonly (string | number | boolean | null)[]): Promise<Row[]> => {
    const prepared = executor._.session.prepareQuery({ sql: text, params: [...params] }, undefined, name, false)
    const result = (await prepared.execute()) as unknown as { rows: Row[] }
    return result.rows
  }
}
