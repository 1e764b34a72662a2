import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'

export interface ShopSize {
  users: number
  entries: number
  generations: number
  orders: number
}

const tools = ['background-removal', 'object-removal', 'enhancement', 'cartoonizer', 'headshot', 'passport-photo']
const batch = 250_000

/** Rows are plausible one by one, but ledgers do not add up. Ids are in the order of time. */
export async function fillLargeShop(db: Database, { users, entries, generations, orders }: ShopSize): Promise<void> {
  await db.execute(sql`
    create or replace function bench_moment(n bigint, of_all bigint) returns timestamptz language sql volatile as
      $$ select now() - interval '1 year' * (1 - n::float8 / of_all) $$`)
  await db.execute(sql`
    create or replace function bench_id(n bigint, of_all bigint, kind text) returns uuid language sql volatile as
      $$ select (lpad(to_hex((extract(epoch from date_trunc('day', now()) - interval '1 year') * 1000)::bigint
           + n * 31536000000 / of_all), 12, '0') || '7' || substr(md5(kind || n), 1, 3) || '8'
           || substr(md5(kind || n), 4, 15))::uuid $$`)
  const pick = (list: readonly string[], by: SQL) =>
    sql`(array[${sql.join(
      list.map((item) => sql.raw(`'${item}'`)),
      sql`, `,
    )}])[1 + (${by}) % ${sql.raw(String(list.length))}]`
  const some = (of: number) => sql.raw(`(1 + (hashint8(n * 7919) & 2147483647) % ${of})`)
  const userOf = sql`bench_id(${some(users)}, ${sql.raw(String(users))}, 'user')`
  const insert = async (rows: number, statement: (numbers: SQL, all: SQL) => SQL) => {
    for (let from = 0; from < rows; from += batch) {
      const to = Math.min(rows, from + batch)
      const numbers = sql.raw(`generate_series(${from + 1}::bigint, ${to}) n`)
      await db.transaction(async (tx) => {
        // Skips foreign keys and triggers.
        await tx.execute(sql`set local session_replication_role = replica`)
        await tx.execute(sql`set local synchronous_commit = off`)
        await tx.execute(sql`set local statement_timeout = 0`)
        await tx.execute(statement(numbers, sql.raw(String(rows))))
      })
    }
  }
  const first = ['Sari', 'Budi', 'Dewi', 'Agus', 'Rina', 'Joko', 'Putri', 'Andi', 'Maya', 'Rizky', 'Ayu', 'Bayu']
  const last = ['Wijaya', 'Santoso', 'Lestari', 'Pratama', 'Hidayat', 'Utami', 'Nugroho', 'Saputra', 'Siregar']

  await insert(
    users,
    (numbers, all) => sql`
      insert into users (id, name, email, role, created_at, email_verified_at, disabled_at)
      select bench_id(n, ${all}, 'user'), ${pick(first, sql`n`)} || ' ' || ${pick(last, sql`n / 12`)} || ' ' || n,
        lower(${pick(first, sql`n`)}) || '.' || n || '@contoh.id',
        case when n % 20000 = 0 then 'designer' else 'user' end::role, bench_moment(n, ${all}),
        case when n % 15 = 0 then null else bench_moment(n, ${all}) end,
        case when n % 300 = 0 then now() end
      from ${numbers}`,
  )
  await insert(
    users,
    (numbers, all) => sql`
      insert into credit_accounts (user_id, balance, updated_at)
      select bench_id(n, ${all}, 'user'), n % 500, now() from ${numbers}`,
  )
  await insert(
    entries,
    (numbers, all) => sql`
      insert into ledger_entries (user_id, kind, amount, balance_after, unique_key, subject_id, price, created_at)
      select ${userOf}, k.kind::ledger_kind, k.amount, 100,
        k.kind || ':' || bench_id(n, ${all}, 'run'),
        case when k.kind = 'purchase' then bench_id(1 + n / 20 % ${sql.raw(String(orders))}, ${sql.raw(String(orders))}, 'order')
          else bench_id(n, ${all}, 'run') end,
        case when k.kind = 'generation' then '{"tool":"background-removal","unit":5,"credits":5}'::jsonb end,
        bench_moment(n, ${all})
      from ${numbers}, lateral (select
        case when n % 20 = 0 then 'purchase' when n % 20 < 15 then 'generation' when n % 20 < 17 then 'refund'
          when n % 20 = 17 then 'expiry' when n % 20 = 18 then 'welcome' else 'voucher' end as kind,
        case when n % 20 = 0 then 25 when n % 20 < 15 then -5 when n % 20 < 17 then 5 when n % 20 = 17 then -20
          else 25 end as amount) k`,
  )
  await insert(
    generations,
    (numbers, all) => sql`
      insert into generations (id, user_id, tool, params, status, credits, idempotency_key, content_hash, attempts,
        created_at, started_at, finished_at, expires_at, error_code)
      select bench_id(n, ${all}, 'run'), ${userOf}, ${pick(tools, sql`n`)}, '{}',
        (case when n > ${all} - 30 then 'queued' when n % 33 = 0 then 'failed' else 'succeeded' end)::generation_status,
        5, 'run-' || n, '', 1, m.at, m.at, m.at + interval '1 second' * (2 + n % 9), m.at + interval '30 days',
        case when n % 33 = 0 then 'engine.failed' end
      from ${numbers}, lateral (select bench_moment(n, ${all}) as at) m`,
  )
  await insert(
    2000,
    (numbers, all) => sql`
      insert into vouchers (id, code, kind, value, days, active, created_at)
      select bench_id(n, ${all}, 'voucher'), 'KODE-' || n, 'free_credits', 10, 90, n % 3 > 0, bench_moment(n, ${all})
      from ${numbers}`,
  )
  await insert(
    orders,
    (numbers, all) => sql`
      insert into orders (id, user_id, status, package_id, package_name, package_cents, package_credits, package_days,
        idr_per_usd, subtotal_idr, discount_idr, total_idr, method, driver, idempotency_key, content_hash, accepted_at,
        created_at, expires_at, paid_at, receipt, voucher_id)
      select bench_id(n, ${all}, 'order'), ${userOf}, s.status, 'starter', 'STARTER', 1000, 499, 30, 16500, 165000, 0,
        165000, ${pick(['qris', 'bca', 'gopay', 'dana'], sql`n`)},
        case when n % 40 = 0 then 'manual' else 'simulator' end::payment_driver, 'order-' || n, '', m.at, m.at,
        m.at + interval '1 day', case when s.status = 2 then m.at end, case when s.status = 2 then n end,
        case when n % 50 = 0 then bench_id(1 + n % 2000, 2000, 'voucher') end
      from ${numbers}, lateral (select bench_moment(n, ${all}) as at) m,
        lateral (select case when n > ${all} - 60 then n % 2 when n % 5 = 0 then 3 else 2 end as status) s`,
  )
  await insert(
    orders,
    (numbers, all) => sql`
      insert into order_history (order_id, "from", "to", by, reason, created_at)
      select bench_id(n, ${all}, 'order'), null, 1, 'buyer', 'placed', bench_moment(n, ${all}) from ${numbers}`,
  )
  await insert(
    orders,
    (numbers, all) => sql`
      insert into payments (id, order_id, driver, payment_id, amount, currency, problem, received_at)
      select gen_random_uuid(), bench_id(n, ${all}, 'order'), 'simulator', 'payment-' || n, 165000, 'IDR',
        case when n % 4000 = 0 then 'paid_again' end::payment_problem, bench_moment(n, ${all})
      from ${numbers}`,
  )
  await insert(
    Math.floor(orders / 50),
    () => sql`
      insert into voucher_redemptions (order_id, voucher_id, user_id, created_at)
      select id, voucher_id, user_id, created_at from orders where voucher_id is not null`,
  )
  await insert(
    Math.floor(entries / 20),
    (numbers, all) => sql`
      insert into credit_grants (id, order_id, user_id, source, amount, remaining, created_at, expires_at)
      select bench_id(n, ${all}, 'lot'), bench_id(1 + n % ${sql.raw(String(orders))}, ${sql.raw(String(orders))}, 'order'), ${userOf}, 'package', 499, case when n % 4 > 0 then 1 + n % 499 else 0 end,
        bench_moment(n, ${all}), bench_moment(n, ${all}) + interval '1 day' * (36 + n % 400)
      from ${numbers}`,
  )
  await insert(
    entries,
    (numbers) => sql`
      insert into credit_grant_moves (entry_id, grant_id, amount)
      select n, bench_id(greatest(n / 20, 1), ${sql.raw(String(Math.floor(entries / 20)))}, 'lot'),
        case when n % 20 = 0 then 25 when n % 20 < 15 then -5 when n % 20 < 17 then 5 when n % 20 = 17 then -20 else 25 end
      from ${numbers}`,
  )
  await insert(
    Math.floor(generations / 3),
    (numbers, all) => sql`
      insert into provider_jobs (id, generation_id, place, task, provider, state, sent, cost, created_at)
      select gen_random_uuid(), bench_id(3 * n, ${sql.raw(String(generations))}, 'run'), 'subjectMatte', 'subjectMatte', 'fal',
        'done', 1, 0.004, bench_moment(n, ${all})
      from ${numbers}`,
  )
  await insert(
    4000,
    (numbers) => sql`
      insert into generation_claims (generation_id, user_id, reason, status, refunded, created_at)
      select bench_id(n * 60, ${sql.raw(String(generations))}, 'run'), ${userOf}, 'Tepinya kasar',
        case when n % 100 = 0 then 'waiting' else 'refunded' end::claim_status, 0, bench_moment(n, 4000)
      from ${numbers}`,
  )
  await insert(
    2 * users,
    (numbers, all) => sql`
      insert into audit_log (actor_id, action, subject_kind, subject_id, after, created_at)
      select bench_id(20000 * (1 + n % 4), ${sql.raw(String(users))}, 'user'),
        case when n % 500 = 0 then 'tool.settings_changed' when n % 3 = 0 then 'order.confirmed'
          else 'credits.adjusted' end,
        case when n % 3 = 0 then 'order' else 'account' end, ${userOf}::text, '{"balance":5}', bench_moment(n, ${all})
      from ${numbers}`,
  )
  await insert(
    5 * users,
    (numbers, all) => sql`
      insert into security_events (kind, user_id, address_class, detail, created_at)
      select case when n % 1000 = 0 then 'role_refused' when n % 9 = 0 then 'sign_in_failed' else 'sign_in' end,
        ${userOf}, '203.0.113.0/24', 'password', bench_moment(n, ${all})
      from ${numbers}`,
  )
  await insert(
    users / 5,
    (numbers, all) => sql`
      insert into custom_edits (id, user_id, status, title, whatsapp, email, description, idempotency_key, content_hash,
        created_at, due_at, designer_id)
      select bench_id(n, ${all}, 'edit'), ${userOf},
        (case when n > ${all} - 80 then 'new' when n % 9 = 0 then 'declined' else 'done' end)::custom_edit_status,
        'Foto keluarga ' || n, '+628123456789', 'orang.' || n || '@contoh.id', 'Tolong', 'edit-' || n, '',
        bench_moment(n, ${all}), bench_moment(n, ${all}) + interval '4 days', null
      from ${numbers}`,
  )
  await db.execute(sql`drop function bench_moment(bigint, bigint), bench_id(bigint, bigint, text)`)
}
