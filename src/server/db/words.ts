import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** The words of some columns, parts of addresses among them: what an index holds, and `hasWords` asks for in the same way. */
export function wordsOf(...columns: AnyPgColumn[]): SQL {
  const text = sql.join(columns, sql` || ' ' || `)
  return sql`to_tsvector('simple', translate(${text}, '@._+-/', '      '))`
}

/** Whether each word that somebody typed begins one of the words; undefined when nothing was typed. */
export function hasWords(words: SQL, typed: string): SQL | undefined {
  const wanted = typed.toLowerCase().match(/[\p{L}\p{N}]+/gu)
  return wanted ? sql`${words} @@ to_tsquery('simple', ${wanted.map((word) => `${word}:*`).join(' & ')})` : undefined
}
