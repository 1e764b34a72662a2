import { count, ne, sql } from 'drizzle-orm'
import { ensureFirstAdmin } from '#features/account/server/staff/operator.ts'
import { orderStatus } from '#features/billing/rules.ts'
import { users } from '#server/auth/table.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { createLog } from '#server/log.ts'
import { readConfig } from '#server-app/config.ts'
import { toolContracts } from '#tools/contracts.ts'
import { type Chance, emptyRows, inventUser, type Rows, type Table, tables } from './person.ts'
import { inventShop } from './shop.ts'

const batch = 2000

/** mulberry32 (public domain, Tommy Ettinger): a small seeded generator. */
function chanceFrom(seed: number): Chance {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

async function insert(db: Database, table: Table, rows: Record<string, unknown>[]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const names = sql.raw(columns.map((column) => `"${column}"`).join(', '))
  const overriding = sql.raw(table === 'ledger_entries' ? 'overriding system value' : '')
  for (let start = 0; start < rows.length; start += batch) {
    const part = JSON.stringify(rows.slice(start, start + batch))
    await db.execute(sql`insert into ${sql.identifier(table)} (${names}) ${overriding}
      select ${names} from jsonb_populate_recordset(null::${sql.identifier(table)}, ${part}::jsonb)`)
  }
}

/** Numbers ledger entries by time, and receipts by payment. */
function number(rows: Rows): void {
  const byTime = (a: Record<string, unknown>, b: Record<string, unknown>) =>
    String(a.created_at).localeCompare(String(b.created_at))
  rows.ledger_entries.sort(byTime).forEach((row, index) => {
    row.id = index + 1
  })
  for (const move of rows.credit_grant_moves) {
    move.entry_id = (move.entry as { id: number }).id
    delete move.entry
  }
  for (const lot of rows.credit_grants) {
    lot.remaining = (lot.lot as { remaining: number }).remaining
    delete lot.lot
  }
  const paid = rows.orders.filter(({ status }) => status === orderStatus.paid)
  paid.sort((a, b) => String(a.paid_at).localeCompare(String(b.paid_at)))
  paid.forEach((row, index) => {
    row.receipt = index + 1
  })
  rows.order_history.sort(byTime)
}

const config = readConfig(process.env)
const log = createLog('warn')
const { db, close } = await openDatabase(config, log)
try {
  const [found] = await db.select({ people: count() }).from(users).where(ne(users.email, config.admin.email))
  if ((found?.people ?? 0) > 0) throw new Error('This database already has accounts; the demo needs an empty one.')
  const people = Number(process.argv[2] ?? 3000)
  if (!Number.isInteger(people) || people < 1 || people > 200_000)
    throw new Error('Give a number of users, such as 3000.')
  const now = Date.now()
  const tools = Object.values(toolContracts).map(({ id, defaultUnitPrice }) => ({ id, credits: defaultUnitPrice }))
  const chance = chanceFrom(17)
  const all = emptyRows()
  for (let index = 0; index < people; index++) {
    const rows = inventUser(index, { now, tools, chance })
    for (const table of tables) for (const row of rows[table]) all[table].push(row)
  }
  Object.assign(all, inventShop(all, { now, chance }))
  number(all)
  for (const table of tables) await insert(db, table, all[table])
  const last = all.orders.filter(({ status }) => status === orderStatus.paid).length
  await db.execute(sql`update receipt_counter set last = ${last}`)
  await db.execute(
    sql`select setval(pg_get_serial_sequence('ledger_entries', 'id'), ${all.ledger_entries.length || 1})`,
  )
  await db.execute(sql`analyze`)
  const first = await ensureFirstAdmin({ db, config, clock: () => new Date(), log } as never)
  const counts = tables.map((table) => `${all[table].length} ${table}`).join(', ')
  process.stdout.write(`${counts}\n${first ? `${first.email} ${first.password ?? ''}\n` : ''}`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await close()
}
