import { v7 as uuid } from 'uuid'
import { type OrderStatus, orderStatus } from '#features/billing/rules.ts'

/** Columns as named in the database. */
export type Rows = Record<Table, Record<string, unknown>[]>
export const tables = [
  'users',
  'credit_accounts',
  'credit_grants',
  'ledger_entries',
  'credit_grant_moves',
  'generations',
  'orders',
  'order_history',
  'payments',
  'custom_edits',
  'vouchers',
  'generation_claims',
  'security_events',
  'provider_jobs',
  'daily_visits',
] as const
export type Table = (typeof tables)[number]

/** From 0 to 1; equal seeds give equal shops. */
export type Chance = () => number

interface Lot {
  id: string
  remaining: number
  expires: number
}

export interface DemoTool {
  id: string
  credits: number
}

const day = 86_400_000
const first = ['Sari', 'Budi', 'Dewi', 'Agus', 'Rina', 'Joko', 'Putri', 'Andi', 'Maya', 'Rizky', 'Ayu', 'Bayu', 'Nur']
const second = ['Wijaya', 'Santoso', 'Lestari', 'Pratama', 'Hidayat', 'Utami', 'Nugroho', 'Saputra', 'Siregar', 'Putra']
const methods = ['qris', 'gopay', 'bca', 'dana', 'mandiri', 'ovo', 'shopeepay', 'bri']
const packs = [
  { id: 'starter', name: 'STARTER', cents: 1000, credits: 499 },
  { id: 'basic', name: 'BASIC', cents: 2500, credits: 1499 },
]
const wishes = [
  'Hapus orang di belakang',
  'Foto keluarga lama',
  'Logo jadi tajam',
  'Warna baju diganti',
  'Poster usaha',
]
const idrPerUsd = 16_500

export const emptyRows = (): Rows => Object.fromEntries(tables.map((table) => [table, []])) as unknown as Rows

function statusOf(chance: Chance, isOver: boolean): OrderStatus {
  if (chance() < 0.78) return orderStatus.paid
  if (isOver) return orderStatus.cancelled
  return chance() < 0.5 ? orderStatus.awaiting : orderStatus.unpaid
}

const pick = <Item>(items: readonly Item[], chance: Chance): Item => items[Math.floor(chance() * items.length)] as Item
const iso = (moment: number) => new Date(moment).toISOString()

/** Invents a user's history with a consistent ledger, whose entries are numbered when inserted. */
export function inventUser(
  index: number,
  { now, tools, chance }: { now: number; tools: DemoTool[]; chance: Chance },
): Rows {
  const rows = emptyRows()
  // Registrations grow from month to month.
  const joined = now - Math.floor(365 * day * (1 - Math.sqrt(chance())))
  const userId = uuid({ msecs: joined })
  const name = `${pick(first, chance)} ${pick(second, chance)}`
  const email = `${name.toLowerCase().replace(' ', '.')}.${index}@demo.rupa.test`
  const verified = chance() < 0.93
  rows.users.push({
    id: userId,
    name,
    email,
    role: 'user',
    language: chance() < 0.85 ? 'id' : 'en',
    created_at: iso(joined),
    email_verified_at: verified ? iso(joined + 60_000) : null,
    disabled_at: chance() < 0.004 ? iso(now - day) : null,
    password_change_due: false,
  })
  if (!verified) return rows

  const lots: Lot[] = []
  let balance = 0
  let last = 0
  const enter = (at: number, entry: Record<string, unknown> & { amount: number }, moves: [string, number][]) => {
    balance += entry.amount
    last = Math.max(at, last)
    const row = { user_id: userId, balance_after: balance, created_at: iso(last), ...entry }
    rows.ledger_entries.push(row)
    for (const [grant_id, amount] of moves) rows.credit_grant_moves.push({ entry: row, grant_id, amount })
  }
  const give = (at: number, days: number, source: string, entry: Record<string, unknown> & { amount: number }) => {
    const lot = { id: uuid({ msecs: at }), remaining: entry.amount, expires: at + days * day }
    lots.push(lot)
    rows.credit_grants.push({
      id: lot.id,
      user_id: userId,
      source,
      amount: entry.amount,
      lot,
      created_at: iso(at),
      expires_at: iso(lot.expires),
      order_id: entry.kind === 'purchase' || entry.kind === 'voucher' ? entry.subject_id : null,
    })
    enter(at, entry, [[lot.id, entry.amount]])
  }
  const expire = (until: number) => {
    for (const lot of lots.filter(({ remaining, expires }) => remaining > 0 && expires <= until)) {
      const { id, remaining, expires } = lot
      lot.remaining = 0
      enter(expires, { kind: 'expiry', amount: -remaining, unique_key: `expiry:${id}`, subject_id: id }, [
        [id, -remaining],
      ])
    }
  }
  const buy = (at: number) => {
    const id = uuid({ msecs: at })
    const pack = pick(packs, chance)
    const total = (pack.cents * idrPerUsd) / 100
    const status = statusOf(chance, now - at > day)
    const paidAt = at + 240_000
    rows.orders.push({
      id,
      user_id: userId,
      status,
      package_id: pack.id,
      package_name: pack.name,
      package_cents: pack.cents,
      package_credits: pack.credits,
      package_days: 30,
      voucher_credits: 0,
      idr_per_usd: idrPerUsd,
      subtotal_idr: total,
      discount_idr: 0,
      total_idr: total,
      method: pick(methods, chance),
      driver: 'simulator',
      idempotency_key: id,
      content_hash: '',
      accepted_at: iso(at),
      created_at: iso(at),
      expires_at: iso(at + day),
      paid_at: status === orderStatus.paid ? iso(paidAt) : null,
      receipt_parties:
        status === orderStatus.paid ? { buyer: name, seller: { name: 'Rupa', address: '', npwp: '' } } : null,
    })
    const change = (from: number | null, to: number, by: string, reason: string, moment: number) =>
      rows.order_history.push({ order_id: id, from, to, by, reason, created_at: iso(moment) })
    change(null, orderStatus.unpaid, 'buyer', 'placed', at)
    if (status === orderStatus.awaiting) change(orderStatus.unpaid, status, 'gateway', 'payment_pending', at + 60_000)
    if (status === orderStatus.cancelled) change(orderStatus.unpaid, status, 'system', 'expired', at + day)
    if (status !== orderStatus.paid) return
    change(orderStatus.unpaid, status, 'gateway', 'paid', paidAt)
    rows.payments.push({
      id: uuid({ msecs: paidAt }),
      order_id: id,
      driver: 'simulator',
      payment_id: `demo-${id}`,
      amount: total,
      currency: 'IDR',
      received_at: iso(paidAt),
    })
    const entry = { kind: 'purchase', amount: pack.credits, unique_key: `purchase:${id}`, subject_id: id }
    give(paidAt, 30, 'package', { ...entry, note: pack.name })
  }
  const run = (at: number) => {
    const tool = pick(tools, () => chance() ** 1.7)
    if (balance < tool.credits) return
    const id = uuid({ msecs: at })
    const moves: [string, number][] = []
    let owed = tool.credits
    for (const lot of lots.filter(({ remaining }) => remaining > 0).sort((a, b) => a.expires - b.expires)) {
      const taken = Math.min(owed, lot.remaining)
      if (taken === 0) break
      lot.remaining -= taken
      owed -= taken
      moves.push([lot.id, -taken])
    }
    const price = { tool: tool.id, unit: tool.credits, credits: tool.credits }
    const about = { subject_id: id, price }
    enter(at, { kind: 'generation', amount: -tool.credits, unique_key: `generation:${id}`, ...about }, moves)
    const failed = chance() < 0.035
    const finished = at + 1500 + Math.floor(9000 * chance() ** 2)
    rows.generations.push({
      id,
      user_id: userId,
      tool: tool.id,
      params: {},
      status: failed ? 'failed' : 'succeeded',
      progress: 1,
      credits: tool.credits,
      queue: 'run-generation',
      turn: 0,
      provider: 'local',
      warnings: [],
      facts: {},
      error_code: failed ? pick(['engine.no_subject', 'engine.timeout', 'engine.failed'], chance) : null,
      idempotency_key: id,
      content_hash: '',
      attempts: 1,
      created_at: iso(at),
      started_at: iso(at + 300),
      finished_at: iso(finished),
      expires_at: iso(at + 30 * day),
    })
    if (!failed) return
    const back = moves.map(([lot, amount]): [string, number] => [lot, -amount])
    for (const [lot, amount] of back) (lots.find(({ id }) => id === lot) as Lot).remaining += amount
    enter(finished, { kind: 'refund', amount: tool.credits, unique_key: `refund:${id}`, ...about }, back)
  }
  const ask = (at: number) => {
    const open = now - at < 5 * day
    const status = open ? pick(['new', 'in_progress', 'new'], chance) : chance() < 0.9 ? 'done' : 'declined'
    rows.custom_edits.push({
      id: uuid({ msecs: at }),
      user_id: userId,
      status,
      title: pick(wishes, chance),
      whatsapp: '+628123456789',
      email,
      description: 'Tolong dibuat rapi, ya. Contohnya ada di foto.',
      idempotency_key: uuid(),
      content_hash: '',
      created_at: iso(at),
      due_at: iso(at + 4 * day),
      taken_at: status === 'new' ? null : iso(at + day),
      finished_at: open ? null : iso(at + 2 * day),
      reason: status === 'declined' ? 'Fotonya terlalu kecil untuk dicetak besar.' : null,
    })
  }

  give(joined + 60_000, 30, 'welcome', { kind: 'welcome', amount: 25, unique_key: `welcome:${userId}` })
  const loyal = chance() < 0.32
  let at = joined + 300_000
  while (at < now) {
    expire(at)
    if (loyal && balance < 20) buy(at)
    const doings = 1 + Math.floor(chance() * (loyal ? 6 : 3))
    for (let count = 0; count < doings; count++) {
      at += 60_000 + Math.floor(chance() * 900_000)
      if (at < now) run(at)
    }
    if (chance() < 0.006) ask(Math.min(at, now - 60_000))
    at += Math.floor(day * (loyal ? 1 + 9 * chance() : 6 + 40 * chance() ** 2))
  }
  expire(now)
  rows.credit_accounts.push({ user_id: userId, balance, updated_at: iso(now) })
  return rows
}
