import { and, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Executor, rows } from './database.ts'

const textOf = (columns: readonly AnyPgColumn[]) => sql`(${sql.join([...columns], sql` || ' ' || `)})`

export const trigramIndex = (...columns: AnyPgColumn[]): SQL => sql`${textOf(columns)} gin_trgm_ops`

/**
 * Most matches that are listed by id; beyond that, reading in the list's order soon fills a page.
 * In a search of the list's own rows all matches may be at the end, so the limit is higher.
 */
const few = { ofAnother: 2000, ofItself: 10_000 }

/**
 * Rows that contain each space-separated part of a search; a part too short for a trigram must
 * begin a word. `of`: rows of another table that refer to such rows. `reads`: a page takes the
 * first rows, a sum all. Undefined for a search without letters and digits.
 */
export async function containsAll(
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
  // A condition on each row would look up the rows of the table one by one.
  if (reads === 'all' && of !== table.id)
    return sql`${of} in (select id from ${table} where ${and(...parts.map((part) => hasPart(text, part)))})`
  // The planner would collect and sort all matches; no index fits this expression, so it reads rows
  // in the order of the list.
  const has = and(...parts.map((part) => hasPart(sql`(${text} || '')`, part)))
  return of === table.id ? has : sql`(select ${has} from ${table} where ${table.id} = ${of})`
}

function hasPart(text: SQL, part: string): SQL {
  if (/[\p{L}\p{N}]{3}/u.test(part)) return sql`${text} ilike ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`
  const beginning = part.replace(/^[^\p{L}\p{N}]+/u, '').replace(/[^\p{L}\p{N}]/gu, '\\$&')
  return sql`${text} ~* ${`\\m${beginning}`}`
}
