import type { Executor } from '#server/db/database.ts'

/**
 * A statement as text, since the whole change of an account must be one round trip; parameters are
 * `$1`, `$2` …, cast where they are used.
 */
export function statement<Row>(text: string) {
  return async (executor: Executor, params: readonly (string | number | boolean | null)[]): Promise<Row[]> => {
    const prepared = executor._.session.prepareQuery({ sql: text, params: [...params] }, undefined, undefined, false)
    const result = (await prepared.execute()) as unknown as { rows: Row[] }
    return result.rows
  }
}
