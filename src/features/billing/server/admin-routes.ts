import { type Context, Hono } from 'hono'
import { generations } from '#features/generations/server/generations.ts'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { csvResponse, wantsCsv } from '#server/http/csv.ts'
import type { UserEnv } from '#server/http/env.ts'
import { idempotencyKey } from '#server/http/idempotency-key.ts'
import { pathId } from '#server/http/path-id.ts'
import { privatePicture } from '#server/http/private-picture.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { type Permission, permissionsOf, type Staff } from '#shared/roles.ts'
import {
  confirmOrderInput,
  createVoucherInput,
  decideOrderInput,
  editVoucherInput,
  ledgerFilter,
  listAdminOrdersInput,
  listAllLedgerInput,
  listVouchersInput,
  orderFilter,
  refundOrderInput,
  revenueInput,
  setPackageInput,
  setRateInput,
  settlePaymentInput,
  settleUnknownInput,
} from '../admin/schemas.ts'
import { decideRefundRequestInput, listRefundRequestsInput } from '../schemas.ts'
import { adminDocuments } from './api-documents.ts'
import {
  ledgerColumns,
  orderColumns,
  refundRequestColumns,
  revenueColumns,
  voucherColumns,
} from './ledger/admin-csv.ts'
import { listAllLedger, sumLedger } from './ledger/list-all-ledger.ts'
import { listAdminOrders, openProof, readAdminOrder, sumOrders } from './orders/admin-orders.ts'
import { confirmOrder, rejectOrder } from './orders/decide-order.ts'
import { refundOrder } from './orders/refund-order.ts'
import { settlePayment } from './payments/settle-payment.ts'
import { settleUnknown } from './payments/unknown-payments.ts'
import { listPackages } from './prices/packages.ts'
import { readPriceHistory } from './prices/price-history.ts'
import { setPackage, setRate } from './prices/set-prices.ts'
import { listChecks } from './reconciliation/billing-checks.ts'
import { listDifferences } from './reconciliation/differences.ts'
import { readRevenue } from './reports/revenue.ts'
import { createVoucher, editVoucher, listVouchers } from './vouchers/admin-vouchers.ts'

/** Staff who support orders see single orders, but no totals of the shop. */
const canSeeTotals = (user: Staff) => permissionsOf(user).includes('money')

export function adminBillingRoutes(deps: Deps) {
  const may = (permission: Permission) => requirePermission(deps, permission)
  const [sees, money, shop, refundRequests] = [may('orders'), may('money'), may('shop'), may('refunds')]
  const decided = (c: Context<UserEnv>, missing: ErrorCode) => ({ id: pathId(c, missing), adminId: c.var.user.id })
  return new Hono<UserEnv>()
    .get('/orders', adminDocuments.list, sees, valid('query', listAdminOrdersInput), async (c) => {
      const query = c.req.valid('query')
      if (!wantsCsv(c)) return c.json(await listAdminOrders(deps, query))
      return csvResponse(c, 'orders', orderColumns, (page) => listAdminOrders(deps, query, page))
    })
    .get('/orders/totals', adminDocuments.totals, sees, valid('query', orderFilter), async (c) =>
      c.json(await sumOrders(deps, c.req.valid('query'), { withMoney: canSeeTotals(c.var.user) })),
    )
    .get('/revenue', adminDocuments.revenue, money, valid('query', revenueInput), async (c) => {
      const revenue = await readRevenue(deps, c.req.valid('query'))
      if (!wantsCsv(c)) return c.json(revenue)
      const items = [...revenue.rows, revenue.total]
      return csvResponse(c, 'revenue', revenueColumns, async () => ({ items, nextCursor: null }))
    })
    .get('/orders/:id', adminDocuments.read, sees, async (c) =>
      c.json(await readAdminOrder(deps, pathId(c, 'order.not_found'))),
    )
    .get('/orders/:id/proof', adminDocuments.proof, sees, async (c) => {
      const { body, contentType } = await openProof(deps, { id: pathId(c, 'order.not_found'), adminId: c.var.user.id })
      return c.body(body, 200, privatePicture(contentType))
    })
    .post('/orders/:id/confirm', adminDocuments.confirm, money, jsonOnly, validJson(confirmOrderInput), async (c) => {
      const waiting = await confirmOrder(deps, decided(c, 'order.not_found'), c.req.valid('json'))
      return waiting ? c.json(waiting, 202) : c.body(null, 204)
    })
    .post('/orders/:id/cancel', adminDocuments.refuse, money, jsonOnly, validJson(decideOrderInput), async (c) => {
      await rejectOrder(deps, decided(c, 'order.not_found'), c.req.valid('json'))
      return c.body(null, 204)
    })
    .post('/orders/:id/refunds', adminDocuments.refund, money, jsonOnly, validJson(refundOrderInput), async (c) => {
      const key = idempotencyKey(c.req.header('idempotency-key'))
      const refund = { orderId: pathId(c, 'order.not_found'), adminId: c.var.user.id, key }
      return c.json(await refundOrder(deps, refund, c.req.valid('json')), 201)
    })
    .post(
      '/payments/:id/settle',
      adminDocuments.settlePayment,
      money,
      jsonOnly,
      validJson(settlePaymentInput),
      async (c) => {
        await settlePayment(deps, decided(c, 'payment.not_found'), c.req.valid('json'))
        return c.body(null, 204)
      },
    )
    .post('/vouchers', adminDocuments.makeVoucher, shop, jsonOnly, validJson(createVoucherInput), async (c) => {
      const made = await createVoucher(deps, c.var.user.id, c.req.valid('json'))
      return c.json(made, 'approval' in made ? 202 : 201)
    })
    .get('/vouchers', adminDocuments.vouchers, shop, valid('query', listVouchersInput), async (c) => {
      const query = c.req.valid('query')
      if (!wantsCsv(c)) return c.json(await listVouchers(deps, query))
      return csvResponse(c, 'vouchers', voucherColumns, (page) => listVouchers(deps, query, page))
    })
    .patch('/vouchers/:id', adminDocuments.editVoucher, shop, jsonOnly, validJson(editVoucherInput), async (c) => {
      const changed = await editVoucher(deps, c.var.user.id, pathId(c, 'voucher.not_found'), c.req.valid('json'))
      return c.json(changed, 'approval' in changed ? 202 : 200)
    })
    .get('/ledger', adminDocuments.ledger, may('people'), valid('query', listAllLedgerInput), async (c) => {
      const query = c.req.valid('query')
      if (!wantsCsv(c)) return c.json(await listAllLedger(deps, query))
      return csvResponse(c, 'credits', ledgerColumns, (page) => listAllLedger(deps, query, page))
    })
    .get('/ledger/totals', adminDocuments.ledgerTotals, may('people'), valid('query', ledgerFilter), async (c) =>
      c.json(await sumLedger(deps, c.req.valid('query'))),
    )
    .get('/packages', adminDocuments.packages, shop, async (c) => c.json(await readPriceHistory(deps)))
    .put('/packages/:id', adminDocuments.setPackage, shop, jsonOnly, validJson(setPackageInput), async (c) => {
      const { id } = c.req.param()
      if (!/^[a-z0-9_-]{1,40}$/.test(id)) throw appError('package.unknown')
      await setPackage(deps, c.var.user.id, id, c.req.valid('json'))
      return c.json(await listPackages(deps))
    })
    .put('/idr_rate', adminDocuments.setRate, shop, jsonOnly, validJson(setRateInput), async (c) => {
      await setRate(deps, c.var.user.id, c.req.valid('json'))
      return c.json(await listPackages(deps))
    })
    .get('/billing_differences', adminDocuments.differences, money, async (c) => {
      const [open, checks] = await Promise.all([listDifferences(deps), listChecks(deps)])
      return c.json({ ...open, checks })
    })
    .post(
      '/billing_differences/settle',
      adminDocuments.settleUnknown,
      money,
      jsonOnly,
      validJson(settleUnknownInput),
      async (c) => c.json({ settled: await settleUnknown(deps, c.var.user.id, c.req.valid('json')) }),
    )
    .get(
      '/claims',
      adminDocuments.refundRequests,
      refundRequests,
      valid('query', listRefundRequestsInput),
      async (c) => {
        const query = c.req.valid('query')
        if (!wantsCsv(c)) return c.json(await generations.listRefundRequests(deps, query))
        return csvResponse(c, 'refund-requests', refundRequestColumns, (page) =>
          generations.listRefundRequests(deps, query, page),
        )
      },
    )
    .post(
      '/claims/:id',
      adminDocuments.decideRefundRequest,
      refundRequests,
      jsonOnly,
      validJson(decideRefundRequestInput),
      async (c) => {
        const decision = decided(c, 'generation.not_found')
        const found = await generations.decideRefundRequest(deps, decision, c.req.valid('json'))
        if (!found) throw appError('generation.not_found')
        return c.body(null, 204)
      },
    )
}
