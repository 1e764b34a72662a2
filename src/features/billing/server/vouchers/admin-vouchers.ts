import { and, eq, like } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Page, PageRequest } from '#contract/paging.ts'
import { audit } from '#features/audit/server/audit.ts'
import { type Key, type Keyset, keyset } from '#server/db/keyset.ts'
import { requireSeen } from '#server/db/locks.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import type { VoucherSort } from '../../admin/rules.ts'
import type { createVoucherInput, editVoucherInput, listVouchersInput } from '../../admin/schemas.ts'
import type { VoucherView } from '../../admin/types.ts'
import type { BillingDeps } from '../deps.ts'
import { vouchers } from '../tables/vouchers.ts'
import { normalizeCode, type Voucher } from './vouchers.ts'

type Tools = Pick<BillingDeps, 'db' | 'clock'>

/**
 * Makes a voucher; a person can use it once unless it says otherwise. Throws `form.invalid` when
 * the code is taken.
 */
export async function createVoucher(
  { db, clock }: Tools,
  adminId: string | null,
  { code, kind, value, days, active, ...given }: typeof createVoucherInput.infer,
): Promise<VoucherView> {
  const now = clock()
  return await transact(db, async (tx) => {
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
    if (!voucher) throw appError('form.invalid', { details: { code: 'voucher.codeTaken' } })
    const after = view(voucher)
    await audit(tx, { actor: adminId, action: 'voucher.created', subject: about(voucher.id), after, now })
    return after
  })
}

// Ids are made in the order of time.
const byId: Key<Voucher> = { column: vouchers.id, type: 'uuid', of: ({ id }) => id }
const byCode: Key<Voucher> = { column: vouchers.code, type: 'text', of: ({ code }) => code }
const voucherOrders: Record<VoucherSort, Keyset<Voucher>> = {
  newest: keyset('vouchers:newest', 'descending', [byId]),
  oldest: keyset('vouchers:oldest', 'ascending', [byId]),
  code: keyset('vouchers:code', 'ascending', [byCode]),
  code_down: keyset('vouchers:code_down', 'descending', [byCode]),
}

/** All vouchers, or those whose code begins with something; the newest first if not told. */
export async function listVouchers(
  { db }: Pick<Tools, 'db'>,
  query: typeof listVouchersInput.infer,
  { cursor, limit = 20 }: PageRequest = query,
): Promise<Page<VoucherView>> {
  const { active, code, sort = 'newest' } = query
  const order = voucherOrders[sort]
  const found = await db
    .select()
    .from(vouchers)
    .where(
      and(
        active === undefined ? undefined : eq(vouchers.active, active === 'true'),
        code === undefined ? undefined : like(vouchers.code, `${normalizeCode(code).replace(/[\\%_]/g, '\\$&')}%`),
        order.after(cursor),
      ),
    )
    .orderBy(...order.orderBy)
    .limit(limit + 1)
  const { rows, nextCursor } = order.page(found, limit)
  return { items: rows.map(view), nextCursor }
}

/**
 * Changes when, how often and whether a voucher can be used, from the next order on; what it gives
 * was promised and stays. Orders keep what they were placed with.
 */
export async function editVoucher(
  { db, clock }: Tools,
  adminId: string,
  id: string,
  { version: seen, ...change }: typeof editVoucherInput.infer,
): Promise<VoucherView> {
  return await transact(db, async (tx) => {
    const [before] = await tx.select().from(vouchers).where(eq(vouchers.id, id)).for('update')
    if (!before) throw appError('voucher.not_found')
    requireSeen(seen, before.version)
    const { validFrom, validUntil } = { ...before, ...change }
    if (validFrom && validUntil && validFrom >= validUntil) {
      throw appError('form.invalid', { details: { validUntil: 'voucher.endsBeforeStart' } })
    }
    const [row] = await tx
      .update(vouchers)
      .set({ ...change, version: before.version + 1 })
      .where(eq(vouchers.id, id))
      .returning()
    const after = view(row as Voucher)
    const entry = { actor: adminId, subject: about(id), before: view(before), after, now: clock() }
    await audit(tx, { ...entry, action: 'voucher.changed' })
    return after
  })
}

const about = (id: string) => ({ kind: 'voucher', id })

function view({ createdAt, validFrom, validUntil, ...voucher }: Voucher): VoucherView {
  return {
    ...voucher,
    validFrom: validFrom?.toISOString() ?? null,
    validUntil: validUntil?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
