// Every list, filter and period of the admin area on a large shop (PostgreSQL): medians, scans of
// growing tables, plans of the slowest statements.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { periods } from '#features/admin/rules.ts'
import { rollUp } from '#features/admin/server/roll-up.ts'
import { type Composition, compose } from '#server-app/compose.ts'
import { readConfig } from '#server-app/config.ts'
import { adminSources } from '#server-app/registrations.ts'
import { fillLargeShop, type ShopSize } from '#tests/support/large-shop.ts'
import { seedUser } from '#tests/support/seed-user.ts'
import { startPostgres } from '../../src/scripts/postgres.mjs'

const scale = Number(process.env.SHOP ?? 1)
const size: ShopSize = {
  users: 100_000 * scale,
  entries: 1_600_000 * scale,
  generations: 1_000_000 * scale,
  orders: 500_000 * scale,
}
const rounds = 5
const aim = 300
const shownPlans = 3
/** Tables that grow. */
const growing =
  /^(users|ledger_entries|generations|orders|payments|order_history|audit_log|security_events|custom_edits)$/

interface Asked {
  text: string
  values: unknown[]
  milliseconds: number
}

function listen(): { asked: Asked[]; stop(): void } {
  const asked: Asked[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const began = performance.now()
    const [config, values] = given as [string | { text: string; values?: unknown[] }, unknown[] | undefined]
    const text = typeof config === 'string' ? config : config.text
    const entry = { text, values: values ?? (typeof config === 'string' ? [] : (config.values ?? [])), milliseconds: 0 }
    const done = () => {
      entry.milliseconds = performance.now() - began
    }
    const callback = given.at(-1)
    const wrapped = (...outcome: unknown[]) => {
      done()
      ;(callback as (...outcome: unknown[]) => void)(...outcome)
    }
    const passed = typeof callback === 'function' ? [...given.slice(0, -1), wrapped] : given
    const outcome = (query as (...given: unknown[]) => unknown).apply(this, passed)
    if (outcome instanceof Promise) outcome.then(done, done)
    asked.push(entry)
    return outcome
  } as typeof query
  return { asked, stop: () => Object.assign(pg.Client.prototype, { query }) }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

/** `{user}` and the like stand for existing ids. */
const calls = [
  '/users',
  ...[
    'search=sari',
    'search=ijay%2099',
    'search=zz',
    'search=contoh',
    'search=ri.1200@con',
    'role=designer',
    'role=user',
    'status=disabled',
  ],
  ...['status=unverified', 'status=active', 'sort=oldest', 'sort=name', 'sort=email', 'sort=credits_down'],
  'search=sari&sort=name',
  'search=sari&sort=credits',
]
  .map((filter) => (filter.startsWith('/') ? filter : `/users?${filter}`))
  .concat(
    ['/users/{user}/timeline', '/users/{user}/timeline?sort=oldest'],
    ['/users/{user}', '/users/{user}/summary', '/ledger?userId={user}', '/orders?user={user}'],
    ['/orders', '/orders?status=0', '/orders?status=2', '/orders?status=3', '/orders?driver=manual'],
    ['/orders?driver=xendit', '/orders?problem=true', '/orders?voucher={voucher}', '/orders?search=sari.999'],
    ['/orders?search=R-00042', '/orders?sort=oldest', '/orders?status=2&driver=manual&sort=oldest', '/orders/{order}'],
    ['/ledger', '/ledger/totals', '/ledger?kind=generation', '/ledger?kind=purchase', '/ledger?kind=adjustment'],
    [
      '/ledger?search=sari',
      '/ledger?search=contoh',
      '/orders?search=contoh',
      '/security_events?search=contoh',
      '/audit?search=contoh',
      '/security_events?search=sari',
      '/audit?search=sari',
      '/orders?search=sari',
    ],
    [
      '/orders/totals',
      '/orders/totals?from={longAgo}',
      '/orders?from={longAgo}&to={longAgo}',
      '/orders?sort=total_desc',
    ],
    ['/orders?search=164321', '/revenue', '/revenue?from={longAgo}&to={longAgo}', '/users?tag=studio'],
    ['/run_costs', '/run_costs?from=2001-01-01', '/funnel', '/funnel?from=2001-01-01'],
    ['/ledger?search=sari.1200', '/ledger?from={longAgo}&to={longAgo}', '/ledger?from={longAgo}'],
    ['/ledger?kind=expiry&to={longAgo}', '/vouchers', '/vouchers?code=KODE-19', '/vouchers?active=false'],
    [
      '/audit',
      '/audit?action=tool',
      '/audit?action=order.confirmed',
      '/audit?subjectId={user}',
      '/audit?actor={staff}',
    ],
    ['/audit?from={longAgo}&to={longAgo}', '/security_events', '/security_events?kind=role_refused'],
    ['/security_events?user={user}', '/security_events?search=sari.1200'],
    ['/security_events?from={longAgo}&to={longAgo}', '/custom_edits', '/custom_edits?status=done'],
    ['/custom_edits?status=done&search=keluarga', '/custom_edits?status=declined&mine=true', '/custom_edits/counts'],
    ['/claims', '/billing_differences', '/tools/headshot/failures', '/tools', '/tool_prices', '/packages'],
    ['/passport_presets', '/jobs', '/approvals'],
    ['/ledger/totals?search=sari', '/ledger/totals?search=contoh', '/ledger/totals?search=sari.1200'],
    ['/ledger/totals?kind=generation', '/ledger/totals?from={yearAgo}', '/ledger/totals?from={longAgo}&search=sari'],
    ['/orders/totals?search=sari', '/orders/totals?search=contoh', '/orders/totals?search=sari.999'],
    ['/orders/totals?status=2', '/orders/totals?problem=true', '/orders/totals?driver=manual&search=sari'],
    ['/orders?status=2&search=sari', '/orders?search=contoh&sort=total_desc', '/orders?status=0&search=contoh'],
    ['/ledger?kind=purchase&search=contoh', '/ledger?kind=expiry&search=sari', '/ledger?from={longAgo}&search=sari'],
    ['/revenue?from={yearAgo}', '/revenue?from={monthAgo}', '/funnel?from={yearAgo}', '/run_costs?from={yearAgo}'],
    ['/users/{busy}/timeline', '/users/{busy}/timeline?kind=security', '/users/{busy}/timeline?kind=run'],
    ['/users/{busy}/summary', '/ledger?userId={busy}', '/ledger/totals?userId={busy}', '/orders/totals?user={user}'],
    ['/security_events?user={busy}', '/security_events?kind=sign_in&search=contoh', '/security_events?kind=sign_in'],
    ['/audit?action=credits&search=contoh', '/claims?status=refunded', '/claims?status=refunded&search=sari'],
    ['/claims?status=refunded&sort=oldest', '/vouchers?sort=code', '/vouchers?sort=oldest', '/error_reports'],
    ['/audit?subjectKind=order', '/audit?sort=oldest', '/security_events?sort=oldest'],
  )

/** Lists with the order that puts the last page first. */
const lastPages: [list: string, first: string, last: string][] = [
  ['/users', 'newest', 'oldest'],
  ['/users', 'name', 'name_down'],
  ['/users', 'credits', 'credits_down'],
  ['/users?search=contoh', 'newest', 'oldest'],
  ['/orders', 'newest', 'oldest'],
  ['/orders', 'total_desc', 'total_asc'],
  ['/orders?search=contoh', 'newest', 'oldest'],
  ['/ledger', 'newest', 'oldest'],
  ['/ledger?kind=purchase', 'newest', 'oldest'],
  ['/ledger?search=contoh', 'newest', 'oldest'],
  ['/audit', 'newest', 'oldest'],
  ['/security_events', 'newest', 'oldest'],
  ['/claims?status=refunded', 'newest', 'oldest'],
  ['/vouchers', 'newest', 'oldest'],
]

/** Each sends its first 200,000 rows page by page. */
const exports = [
  '/users',
  '/orders',
  '/orders?search=contoh',
  '/ledger?search=sari.1200',
  '/revenue',
  '/funnel',
  '/vouchers',
]

interface Measured {
  call: string
  milliseconds: number
  asked: Asked[]
}

async function measure({ app, deps }: Composition, pool: pg.Pool): Promise<Measured[]> {
  const one = async (query: string) => String(Object.values((await pool.query(query)).rows[0] ?? {})[0])
  const longAgo = new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 10)
  const ids: Record<string, string> = {
    user: await one(`select user_id from orders order by id desc limit 1`),
    order: await one(`select id from orders order by id desc limit 1`),
    voucher: await one(`select voucher_id from orders where voucher_id is not null limit 1`),
    staff: await one(`select actor_id from audit_log limit 1`),
    busy: await one(`select user_id from ledger_entries group by 1 order by count(*) desc limit 1`),
    longAgo,
    yearAgo: new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10),
    monthAgo: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10),
  }
  const { token } = await seedUser(deps, { role: 'admin' })
  const call = async (path: string, accept = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, accept }
    const response = await app.request(`/api/admin${path}`, { headers }, {
      incoming: { socket: { remoteAddress: '127.0.0.1' } },
    } as never)
    const text = await response.text()
    if (!response.ok) console.log(`   failed  ${path}: ${response.status} ${text}`)
    return text
  }
  const measured: Measured[] = []
  const paths = calls.map((path) => path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? ''))
  for (const [list, first, last] of lastPages) {
    const sorted = (sort: string) => `${list}${list.includes('?') ? '&' : '?'}sort=${sort}`
    const { items } = JSON.parse(await call(`${sorted(last)}&limit=20`)) as { items: { id: string | number }[] }
    paths.push(`${sorted(first)}&cursor=${items.at(-1)?.id}`)
  }
  for (const path of paths) {
    const alone = performance.now()
    await call(path)
    const again = performance.now() - alone > 3000 ? 1 : rounds
    const { asked, stop } = listen()
    const times: number[] = []
    for (let round = 0; round < again; round++) {
      const began = performance.now()
      await call(path)
      times.push(performance.now() - began)
    }
    stop()
    measured.push({ call: path, milliseconds: median(times), asked: asked.slice(0, asked.length / again) })
  }
  for (const path of exports) {
    const began = performance.now()
    const lines = (await call(path, 'text/csv')).split('\n').length
    const milliseconds = performance.now() - began
    console.log(`${milliseconds.toFixed(1).padStart(8)} ms  ${path} as a file of ${lines} lines`)
  }
  return measured
}

/** Bypasses the server's half-minute cache. */
async function measureDashboards({ deps }: Composition): Promise<Measured[]> {
  const { readDashboard } = await import('#features/admin/server/dashboard.ts')
  const measured: Measured[] = []
  for (const period of periods) {
    await readDashboard(deps, adminSources, period)
    const { asked, stop } = listen()
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      await readDashboard(deps, adminSources, period)
      times.push(performance.now() - began)
    }
    stop()
    const call = `/dashboard?period=${period}`
    measured.push({ call, milliseconds: median(times), asked: asked.slice(0, asked.length / rounds) })
  }
  return measured
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Plan[]
}

function scans(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' && growing.test(plan['Relation Name'] ?? '')
  return [...(own ? [plan['Relation Name'] as string] : []), ...(plan.Plans ?? []).flatMap(scans)]
}

async function sequentialScans(pool: pg.Pool, { asked }: Measured): Promise<string[]> {
  const found: string[] = []
  for (const { text, values } of asked) {
    if (!/^\s*(select|with|\()/i.test(text) || /pgboss/.test(text)) continue
    // A failed statement has no plan.
    const explained = await pool.query(`explain (format json) ${text}`, values).catch(() => undefined)
    if (explained) found.push(...scans(explained.rows[0]['QUERY PLAN'][0].Plan))
  }
  return [...new Set(found)]
}

const postgres = await startPostgres({ durable: false })
if (!postgres) {
  console.log('PostgreSQL was not found; there is nothing to measure')
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
const pool = new pg.Pool({ connectionString: postgres.url, max: 1 })
let server: Composition | undefined
try {
  const config = readConfig({ DATA_DIR: folder, DATABASE_URL: postgres.url, LOG_LEVEL: 'silent', ROLE: 'all' })
  server = await compose({ ...config, role: 'web' }, pino({ level: 'silent' }))
  const began = performance.now()
  await fillLargeShop(server.deps.db, size)
  await rollUp(server.deps, adminSources)
  await pool.query('vacuum analyze')
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(
    `${size.users} users, ${size.entries} ledger entries, ${size.generations} generations: ${seconds} s to fill`,
  )
  const measured = [...(await measureDashboards(server)), ...(await measure(server, pool))]
  let scanning = 0
  for (const entry of measured) {
    const scanned = await sequentialScans(pool, entry)
    if (scanned.length > 0) scanning++
    const marks = [entry.milliseconds > aim ? `over ${aim} ms` : '', scanned.length > 0 ? `scans ${scanned}` : '']
    const said = marks.filter(Boolean).join(', ')
    console.log(`${entry.milliseconds.toFixed(1).padStart(8)} ms  ${entry.call}${said && `   <- ${said}`}`)
  }
  const slow = measured.filter(({ milliseconds }) => milliseconds > aim)
  console.log(`\n${slow.length} of ${measured.length} over ${aim} ms, ${scanning} scan a table that grows`)
  const statements = measured.flatMap(({ call, asked }) => asked.map((each) => ({ ...each, call })))
  const worst = statements
    .filter(({ text }) => /^\s*(select|with)/i.test(text) && !/pgboss|pg_listening/.test(text))
    .sort((a, b) => b.milliseconds - a.milliseconds)
  for (const { text, values, call, milliseconds } of worst.slice(0, shownPlans)) {
    console.log(`\n${milliseconds.toFixed(1)} ms of ${call}:\n${text.replace(/\s+/g, ' ').slice(0, 400)}`)
    const { rows } = await pool.query(`explain (analyze, buffers) ${text}`, values as unknown[])
    for (const row of rows) console.log(`  ${row['QUERY PLAN']}`)
  }
} finally {
  await server?.stop()
  await pool.end()
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
