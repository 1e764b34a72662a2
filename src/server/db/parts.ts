import { and, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Executor, rows } from './database.ts'

/** Some columns as one text, as an index of its trigrams holds it. */
const textOf = (columns: readonly AnyPgColumn[]) => sql`(${sql.join([...columns], sql` || ' ' || `)})`

/** Expression of an index that finds parts of these columns. */
export const partsOf = (...columns: AnyPgColumn[]): SQL => sql`${textOf(columns)} gin_trgm_ops`

/**
 * Rows that are asked for one by one; of more than these, a page is soon full of them. In their own
 * list they may all be at its end, and so have to be more.
 */
const few = { ofAnother: 2000, ofItself: 10_000 }

/**
 * Rows that have each part of a search, parted by spaces, anywhere in these columns; a part that is
 * too short for a trigram has to begin a word. With `of`, rows of another table whose column names
 * such a row. Undefined for a search without letters and digits. `reads`: a page takes the first
 * rows in the order of its list, a sum takes all of them.
 */
export async function hasParts(
  db: Executor,
  table: PgTable & { id: AnyPgColumn },
  columns: readonly AnyPgColumn[],
  typed: string,
  { of = table.id, reads = 'page' }: { of?: AnyPgColumn; reads?: 'page' | 'all' } = {},
): Promise<SQL | undefined> {
  const parts = typed.toLowerCase().match(/\S*[\p{L}\p{N}]\S*/gu)
  if (!parts) return undefined
  const text = textOf(columns)
  const most = of === table.id ? few.ofItself : few.ofAnother
  const found = await rows<{ id: string }>(
    db,
    sql`select id from ${table} where ${and(...parts.map((part) => hasPart(text, part)))} limit ${most + 1}`,
  )
  if (found.length <= most) return sql`${of} = any(${sql.param(found.map(({ id }) => id))}::uuid[])`
  // A condition on each row would look up its row of the table one by one.
  if (reads === 'all' && of !== table.id)
    return sql`${of} in (select id from ${table} where ${and(...parts.map((part) => hasPart(text, part)))})`
  // With so many, the rows are looked at in the order of the list. The planner, which knows neither
  // how many there are nor where, would gather and sort them all; it cannot where no index fits.
  const has = and(...parts.map((part) => hasPart(sql`(${text} || '')`, part)))
  return of === table.id ? has : sql`(select ${has} from ${table} where ${table.id} = ${of})`
}

function hasPart(text: SQL, part: string): SQL {
  if (/[\p{L}\p{N}]{3}/u.test(part)) return sql`${text} ilike ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`
  const beginning = part.replace(/^[^\p{L}\p{N}]+/u, '').replace(/[^\p{L}\p{N}]/gu, '\\$&')
  return sql`${text} ~* ${`\\m${beginning}`}`
}
