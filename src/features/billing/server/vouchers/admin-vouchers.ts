import { and, eq, like } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { WaitingApproval } from '#features/approvals/schemas.ts'
import { type ApprovalAction, approvals } from '#features/approvals/server/approvals.ts'
import type { ApprovalRequest } from '#features/approvals/server/table.ts'
import { audit } from '#server/audit/audit.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { type Key, type Keyset, keyset } from '#server/db/keyset.ts'
import { requireVersion, transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import type { createVoucherInput, editVoucherInput, listVouchersInput, VoucherView } from '../../admin/schemas.ts'
import type { VoucherSort } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { discountFor } from '../orders/price.ts'
import { listPackages } from '../prices/packages.ts'
import { vouchers } from '../tables/catalogue.ts'
import { normalizeCode, type Voucher, voucherSubject } from './vouchers.ts'

type Tools = Pick<BillingDeps, 'db' | 'clock' | 'config'>
type NewVoucher = typeof createVoucherInput.infer
type VoucherChange = typeof editVoucherInput.infer

/**
 * Above the operator's threshold a second admin decides. Throws `form.invalid` if the code exists.
 */
export async function createVoucher(
  { db, clock, config }: Tools,
  adminId: string | null,
  given: NewVoucher,
): Promise<VoucherView | WaitingApproval> {
  const now = clock()
  return await transact(db, async (tx) => {
    const code = normalizeCode(given.code)
    if ((await tx.$count(vouchers, eq(vouchers.code, code))) > 0) throw codeTaken()
    const limitTotal = given.limitTotal ?? null
    const waiting =
      adminId !== null &&
      (await approvals.require(tx, config, {
        kind: 'voucher_creation',
        ...(await voucherWorth(tx, config, { ...given, limitTotal })),
        staffId: adminId,
        subject: code,
        request: requestOf({ ...given, code }),
        reason: '',
        now,
      }))
    return waiting || (await insertVoucher(tx, adminId, given, now))
  })
}

const codeTaken = () => appError('form.invalid', { details: { code: 'voucher.codeTaken' } })

async function insertVoucher(
  tx: Transaction,
  adminId: string | null,
  { code, kind, value, days, active, ...given }: NewVoucher,
  now: Date,
): Promise<VoucherView> {
  const [voucher] = await tx
    .insert(vouchers)
    .values({
      id: uuid(),
      code: normalizeCode(code),
      kind,
      value,
      days,
      active,
      validFrom: given.validFrom ?? null,
      validUntil: given.validUntil ?? null,
      limitTotal: given.limitTotal ?? null,
      limitPerUser: given.limitPerUser === undefined ? 1 : given.limitPerUser,
      createdAt: now,
      createdBy: adminId,
    })
    .onConflictDoNothing({ target: vouchers.code })
    .returning()
  if (!voucher) throw codeTaken()
  const after = view(voucher)
  await audit(tx, { actor: adminId, action: 'voucher.created', subject: voucherSubject(voucher.id), after, now })
  return after
}

/** An approval stores plain values; dates become text. */
const requestOf = (given: object): ApprovalRequest =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  )

const momentNames = ['validFrom', 'validUntil']
const fromRequest = <Given>(request: ApprovalRequest): Given =>
  Object.fromEntries(
    Object.entries(request).map(([name, value]) => [
      name,
      momentNames.includes(name) && typeof value === 'string' ? new Date(value) : value,
    ]),
  ) as Given

export const voucherApprovals = {
  voucher_creation: {
    async apply(tx, _, { request, staffId, now }) {
      await insertVoucher(tx, staffId, fromRequest(request), now)
    },
  },
  voucher_change: {
    async apply(tx, _, { request: { id, ...change }, staffId, now }) {
      const before = await holdForChange(tx, String(id), fromRequest(change))
      await changeVoucher(tx, staffId, before, fromRequest(change), now)
    },
  },
} satisfies Record<string, ApprovalAction>

// Ids are ordered by creation time.
const byId: Key<Voucher> = { column: vouchers.id, type: 'uuid', of: ({ id }) => id }
const byCode: Key<Voucher> = { column: vouchers.code, type: 'text', of: ({ code }) => code }
const voucherOrders: Record<VoucherSort, Keyset<Voucher>> = {
  newest: keyset('vouchers:newest', 'descending', [byId]),
  oldest: keyset('vouchers:oldest', 'ascending', [byId]),
  code: keyset('vouchers:code', 'ascending', [byCode]),
  code_down: keyset('vouchers:code_down', 'descending', [byCode]),
}

/** By code prefix; newest first by default. */
export async function listVouchers(
  { db }: Pick<Tools, 'db'>,
  query: typeof listVouchersInput.infer,
  page: PageRequest = query,
): Promise<Page<VoucherView>> {
  const { active, code, sort = 'newest' } = query
  const order = voucherOrders[sort]
  const { rows, nextCursor } = await order.read(
    db.select().from(vouchers),
    and(
      active === undefined ? undefined : eq(vouchers.active, active === 'true'),
      code === undefined ? undefined : like(vouchers.code, `${normalizeCode(code).replace(/[\\%_]/g, '\\$&')}%`),
    ),
    page,
  )
  return { items: rows.map(view), nextCursor }
}

/**
 * Effective from the next order; the value was promised and stays. A limit with which it gives more
 * than the operator's threshold waits for a second admin.
 */
export async function editVoucher(
  { db, clock, config }: Tools,
  adminId: string,
  id: string,
  change: VoucherChange,
): Promise<VoucherView | WaitingApproval> {
  const now = clock()
  return await transact(db, async (tx) => {
    const before = await holdForChange(tx, id, change)
    const { limitTotal = before.limitTotal } = change
    const [was, worth] = [
      await voucherWorth(tx, config, before),
      await voucherWorth(tx, config, { ...before, limitTotal }),
    ]
    const givesMore = was.amount !== null && (worth.amount === null || worth.amount > was.amount)
    const waiting =
      givesMore &&
      (await approvals.require(tx, config, {
        kind: 'voucher_change',
        ...worth,
        staffId: adminId,
        subject: id,
        reason: '',
        now,
        request: requestOf({ id, code: before.code, ...change, version: before.version }),
      }))
    return waiting || (await changeVoucher(tx, adminId, before, change, now))
  })
}

async function holdForChange(
  tx: Transaction,
  id: string,
  { version: seen, ...change }: VoucherChange,
): Promise<Voucher> {
  const [before] = await tx.select().from(vouchers).where(eq(vouchers.id, id)).for('update')
  if (!before) throw appError('voucher.not_found')
  requireVersion(seen, before.version)
  const { validFrom, validUntil } = { ...before, ...change }
  if (validFrom && validUntil && validFrom >= validUntil) {
    throw appError('form.invalid', { details: { validUntil: 'voucher.endsBeforeStart' } })
  }
  return before
}

async function changeVoucher(
  tx: Transaction,
  adminId: string,
  before: Voucher,
  { validFrom, validUntil, limitTotal, limitPerUser, active }: VoucherChange,
  now: Date,
): Promise<VoucherView> {
  const [row] = await tx
    .update(vouchers)
    .set({ validFrom, validUntil, limitTotal, limitPerUser, active, version: before.version + 1 })
    .where(eq(vouchers.id, before.id))
    .returning()
  const after = view(row as Voucher)
  const entry = { actor: adminId, subject: voucherSubject(before.id), before: view(before), after, now }
  await audit(tx, { ...entry, action: 'voucher.changed' })
  return after
}

function view({ createdAt, validFrom, validUntil, ...voucher }: Voucher): VoucherView {
  return {
    ...voucher,
    validFrom: validFrom?.toISOString() ?? null,
    validUntil: validUntil?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

/** Credits, or the rupiah discount on the most expensive package; null without a limit. */
async function voucherWorth(
  executor: Executor,
  config: BillingDeps['config'],
  { kind, value, limitTotal }: Pick<Voucher, 'kind' | 'value' | 'limitTotal'>,
): Promise<{ unit: 'credits' | 'idr'; amount: number | null }> {
  if (kind === 'free_credits') return { unit: 'credits', amount: limitTotal && value * limitTotal }
  const { items } = await listPackages({ db: executor, config })
  const highestIdr = Math.max(0, ...items.map(({ idr }) => idr))
  return { unit: 'idr', amount: limitTotal && discountFor({ kind, value }, highestIdr) * limitTotal }
}
