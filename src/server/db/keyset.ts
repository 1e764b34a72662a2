import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import type { PageRequest } from '#shared/paging.ts'
import { appError } from '../http/app-error.ts'

/** Value of a key in a cursor; a moment is in ISO 8601 with milliseconds. */
type KeyValue = string | number

// The year is checked too: PostgreSQL has no year 0.
const moment = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Each PostgreSQL type has a check of values that PostgreSQL accepts. */
const keyTypes = {
  uuid: (value: unknown) => typeof value === 'string' && isUuid(value),
  bigint: (value: unknown) => Number.isSafeInteger(value),
  timestamptz: (value: unknown) =>
    typeof value === 'string' && moment.test(value) && !Number.isNaN(Date.parse(value)) && isSameMoment(value),
  text: (value: unknown) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0'),
}

/** False for a day that does not exist: JavaScript reads 30 February as 2 March. */
function isSameMoment(value: string): boolean {
  return new Date(value).toISOString() === value
}

export interface Key<Row> {
  column: SQLWrapper
  type: keyof typeof keyTypes
  of: (row: Row) => KeyValue
}

export interface Keyset<Row> {
  /** Undefined without a cursor; throws `form.invalid` for a cursor of another list or order. */
  after(cursor: string | undefined): SQL | undefined
  orderBy: SQL[]
  cursorOf(row: Row): string
  /** Cuts `limit + 1` rows to a page; the extra row means that there is a next page. */
  page<Found extends Row>(found: Found[], limit: number): Rows<Found>
  /** Reads the page of a select without conditions; 20 rows by default. */
  read<Found extends Row>(select: Select<Found>, condition: SQL | undefined, request: PageRequest): Promise<Rows<Found>>
}

interface Rows<Found> {
  rows: Found[]
  nextCursor: string | null
}

interface Select<Found> {
  where(condition: SQL | undefined): { orderBy(...by: SQL[]): { limit(limit: number): PromiseLike<Found[]> } }
}

/**
 * A cursor holds the key values of a page's last row, so that the list continues even if that row
 * is deleted. The name separates lists; the keys together must be unique.
 */
export function keyset<Row>(
  name: string,
  direction: 'ascending' | 'descending',
  keys: readonly [Key<Row>, ...Key<Row>[]],
): Keyset<Row> {
  const [compared, ordered] = direction === 'ascending' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const columns = sql.join(
    keys.map(({ column }) => sql`${column}`),
    sql`, `,
  )
  const cursorOf = (row: Row) =>
    Buffer.from(JSON.stringify([name, ...keys.map(({ of }) => of(row))])).toString('base64url')
  const orderBy = keys.map(({ column }) => sql`${column} ${ordered}`)
  const after: Keyset<Row>['after'] = (cursor) => {
    if (cursor === undefined) return undefined
    const values = decodeCursor(cursor, name, keys).map(
      (value, index) => sql`${value}::${sql.raw((keys[index] as Key<Row>).type)}`,
    )
    return sql`(${columns}) ${compared} (${sql.join(values, sql`, `)})`
  }
  const page: Keyset<Row>['page'] = (found, limit) => {
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    return { rows, nextCursor: found.length > limit && last !== undefined ? cursorOf(last) : null }
  }
  return {
    after,
    orderBy,
    cursorOf,
    page,
    async read(select, condition, { cursor, limit = 20 }) {
      const found = select.where(and(condition, after(cursor))).orderBy(...orderBy)
      return page(await found.limit(limit + 1), limit)
    },
  }
}

function decodeCursor<Row>(cursor: string, name: string, keys: readonly Key<Row>[]): KeyValue[] {
  const [from, ...values] = parseCursor(cursor)
  const fits = values.length === keys.length && keys.every(({ type }, index) => keyTypes[type](values[index]))
  if (from !== name || !fits) throw appError('form.invalid', { details: { cursor: 'form.invalid' } })
  return values as KeyValue[]
}

function parseCursor(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}
