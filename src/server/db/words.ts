import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'

/**
 * The words of some columns, parts of addresses among them: what an index holds, and `hasWords`
 * asks for in the same way.
 */
export function wordsOf(...columns: AnyPgColumn[]): SQL {
  const text = sql.join(columns, sql` || ' ' || `)
  return sql`to_tsvector('simple', translate(${text}, '@._+-/', '      '))`
}

/**
 * Rows in which each word that somebody typed begins one of the words; undefined when nothing was
 * typed.
 */
export function hasWords(table: PgTable & { id: AnyPgColumn }, words: SQL, typed: string): SQL | undefined {
  const wanted = typed.toLowerCase().match(/[\p{L}\p{N}]+/gu)
  if (!wanted) return undefined
  const query = wanted.map((word) => `${word}:*`).join(' & ')
  // The array makes the planner ask the index first, and then for these rows alone: otherwise it
  // computes the words of row after row, in the order of the list, or reads the whole table beside
  // what it found.
  return sql`${table.id} = any(array(
    select ${table.id} from ${table} where ${words} @@ to_tsquery('simple', ${query})))`
}
