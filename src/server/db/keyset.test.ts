import { integer, PgDialect, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { type Key, keyset } from './keyset.ts'

interface Row {
  id: string
  name: string
  total: number
  at: Date
}
const table = pgTable('things', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  total: integer().notNull(),
  at: timestamp().notNull(),
})
const byId: Key<Row> = { column: table.id, type: 'uuid', of: ({ id }) => id }
const byName: Key<Row> = { column: table.name, type: 'text', of: ({ name }) => name }
const byTotal: Key<Row> = { column: table.total, type: 'bigint', of: ({ total }) => total }
const byTime: Key<Row> = { column: table.at, type: 'timestamptz', of: ({ at }) => at.toISOString() }

const everyKey = keyset('things', 'descending', [byTotal, byTime, byName, byId])
const row = { id: 'f47ac10b-58cc-4372-a567-0e02b2c3d479', name: 'Sri "\'; --\n🙂', total: -7, at: new Date(1e12) }
const dialect = new PgDialect()
const coded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a keyset', () => {
  it('continues after the row of its cursor, whose values are parameters', () => {
    const condition = everyKey.after(everyKey.cursorOf(row))
    const { sql, params } = dialect.sqlToQuery(condition as NonNullable<typeof condition>)
    expect(sql).toBe(
      '("things"."total", "things"."at", "things"."name", "things"."id") < ($1::bigint, $2::timestamptz, $3::text, $4::uuid)',
    )
    expect(params).toEqual([-7, '2001-09-09T01:46:40.000Z', row.name, row.id])
  })

  it('has no condition without a cursor, and no cursor on the last page', () => {
    expect(everyKey.after(undefined)).toBeUndefined()
    const other = { ...row, total: 3 }
    expect(everyKey.page([row, other], 2)).toEqual({ rows: [row, other], nextCursor: null })
    expect(everyKey.page([row, other], 1)).toEqual({ rows: [row], nextCursor: everyKey.cursorOf(row) })
    expect(everyKey.page([], 1)).toEqual({ rows: [], nextCursor: null })
  })

  it.each([
    ...['x', row.id, '0', '-1', '[]', 'null', "' or 1=1 --", '😀', '\ud800', 'a'.repeat(4000)],
    ...[coded(null), coded({}), coded('things'), coded([]), coded(['things']), coded([[[]]])],
    coded(['other', -7, row.at, row.name, row.id]),
    coded(['things', -7, row.at, row.name]),
    coded(['things', -7, row.at, row.name, row.id, 1]),
    ...['7', 1.5, 2 ** 53, null, [7]].map((total) => coded(['things', total, row.at, row.name, row.id])),
    ...['now', 'infinity', '0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z', '2026-01-01', 0].map((at) =>
      coded(['things', -7, at, row.name, row.id]),
    ),
    ...['a\0b', '\ud800', 1, null, {}].map((name) => coded(['things', -7, row.at, name, row.id])),
    ...['x', `${row.id}'`, null, 7].map((id) => coded(['things', -7, row.at, row.name, id])),
  ])('refuses the cursor %j', (cursor) => {
    expect(() => everyKey.after(cursor)).toThrow(
      expect.objectContaining({ code: 'form.invalid', details: { cursor: 'form.invalid' } }),
    )
  })
})
