import type { Executor } from '#server/db/database.ts'

/**
 * Plain SQL, so that the whole change of an account is one round trip; parameters are `$1`, `$2` …,
 * cast where they are used.
 */
export function statement<Row>(text: string) {
  return async (executor: Executor, params: readonly (string | number | boolean | null)[]): Promise<Row[]> => {
    const prepared = executor._.session.prepareQuery({ sql: text, params: [...params] }, undefined, undefined, false)
    const result = (await prepared.execute()) as unknown as { rows: Row[] }
    return result.rows
  }
}
