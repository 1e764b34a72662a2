import type { Context } from 'hono'
import { approvalErrors, waitsForApproval } from '#features/approvals/server/approvals.ts'
import { assignInput, colleaguesInput, colleaguesSchema } from '#features/assignments/schemas.ts'
import { assignments } from '#features/assignments/server/assignments.ts'
import { adminRefundRequestPage } from '#features/generations/schemas.ts'
import { generations } from '#features/generations/server/generations.ts'
import { requirePermission } from '#server/auth/require-user.ts'
import { appError } from '#server/http/app-error.ts'
import { csvResponse, listResponse, wantsCsv } from '#server/http/csv.ts'
import type { UserEnv } from '#server/http/env.ts'
import { file, reply, route } from '#server/http/route.ts'
import { privatePicture } from '#server/http/security-headers.ts'
import { pathId } from '#server/http/validate.ts'
import { daysInput } from '#shared/date-input.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { type Permission, permissionsOf, type Staff } from '#shared/roles.ts'
import { type } from '#shared/schema.ts'
import {
  differenceList,
  efakturInput,
  generationCostsSchema,
  revenue,
  revenueInput,
  taxReport,
} from '../admin/report-schemas.ts'
import {
  adminLedgerPage,
  adminOrderPage,
  adminOrderView,
  confirmedOrders,
  confirmOrderInput,
  confirmOrdersInput,
  decideOrderInput,
  ledgerFilter,
  ledgerTotals,
  listAdminOrdersInput,
  listAllLedgerInput,
  orderFilter,
  orderTotals,
  refundedOrder,
  refundOrderInput,
  settlePaymentInput,
  settleUnknownInput,
} from '../admin/schemas.ts'
import { decideRefundRequestInput, listRefundRequestsInput } from '../schemas.ts'
import {
  generationCostsColumns,
  ledgerColumns,
  orderColumns,
  refundRequestColumns,
  revenueColumns,
  taxColumns,
} from './ledger/admin-csv.ts'
import { listAllLedger, sumLedger } from './ledger/list-ledger.ts'
import { listAdminOrders, openProof, readAdminOrder, sumOrders } from './orders/admin-orders.ts'
import { assignOrder, confirmOrder, confirmOrders, rejectOrder, settlePayment } from './orders/decide-order.ts'
import { refundByGateway } from './orders/gateway-refund.ts'
import { refundOrder } from './orders/refund-order.ts'
import { settleUnknown } from './payments/unknown-payments.ts'
import { listChecks, listDifferences } from './reconciliation/billing-checks.ts'
import { type ReportDeps, readGenerationCosts } from './reports/generation-costs.ts'
import { readRevenue } from './reports/revenue.ts'
import { efakturFile, listTaxRows, readTaxReport } from './reports/taxes.ts'

/** Staff who support orders see single orders, but no totals of the shop. */
const canSeeTotals = (user: Staff) => permissionsOf(user).includes('money')

export function adminBillingRoutes(deps: ReportDeps) {
  const may = (permission: Permission) => requirePermission(deps, permission)
  const [sees, money, refundRequests] = [may('orders'), may('money'), may('refunds')]
  const decided = (c: Context<UserEnv>, missing: ErrorCode) => ({ id: pathId(c, missing), adminId: c.var.user.id })
  return [
    route('listAllOrders', 'GET /admin/orders', sees, {
      summary:
        'List all orders, newest first; with driver `manual`, status 0 means a transfer waiting for confirmation',
      input: { query: listAdminOrdersInput },
      output: { 200: ['One page of results', adminOrderPage] },
      handler: (c) =>
        listResponse(c, 'orders', orderColumns, (page) =>
          listAdminOrders(deps, c.var.user.id, c.req.valid('query'), page),
        ),
    }),
    route('sumOrders', 'GET /admin/orders/totals', sees, {
      summary: 'Get count and total amount of the filtered orders',
      input: { query: orderFilter },
      output: { 200: ['The sums', orderTotals] },
      handler: (c) =>
        sumOrders(deps, c.req.valid('query'), { staffId: c.var.user.id, withMoney: canSeeTotals(c.var.user) }),
    }),
    route('readRevenue', 'GET /admin/revenue', money, {
      summary: 'Get revenue of a period by method, package and voucher, and the liability for unspent credits',
      input: { query: revenueInput },
      output: { 200: ['The sums', revenue] },
      handler: async (c) => {
        const revenue = await readRevenue(deps, c.req.valid('query'))
        if (!wantsCsv(c)) return revenue
        const items = [...revenue.rows, revenue.total]
        return csvResponse(c, 'revenue', revenueColumns, async () => ({ items, nextCursor: null }))
      },
    }),
    route('readTaxReport', 'GET /admin/taxes', money, {
      summary: 'Get invoices, refunds and PPN of a period; as CSV a row for each',
      input: { query: revenueInput },
      output: { 200: ['The sums', taxReport] },
      handler: async (c) => {
        if (!wantsCsv(c)) return await readTaxReport(deps, c.req.valid('query'))
        const rows = await listTaxRows(deps, c.req.valid('query'))
        return csvResponse(c, 'taxes', taxColumns, async ({ cursor = '0', limit = rows.length }) => {
          const end = Number(cursor) + limit
          return { items: rows.slice(Number(cursor), end), nextCursor: end < rows.length ? String(end) : null }
        })
      },
    }),
    route('downloadEfaktur', 'GET /admin/efaktur', money, {
      summary: 'Download the invoices of a period as an e-Faktur file for Coretax',
      input: { query: efakturInput },
      output: { 200: file('Up to 1000 invoices with PPN to buyers with an NPWP', 'application/xml') },
      errors: ['tax.no_npwp'],
      handler: async (c) => {
        return c.body(await efakturFile(deps, c.req.valid('query')), 200, {
          'content-type': 'application/xml; charset=utf-8',
          'content-disposition': 'attachment; filename="efaktur.xml"',
          'cache-control': 'private, no-store',
        })
      },
    }),
    route('readGenerationCosts', 'GET /admin/run_costs', money, {
      summary: 'Get provider costs of generations and the revenue of their credits',
      input: { query: daysInput },
      output: { 200: ['The costs by tool and provider', generationCostsSchema] },
      handler: async (c) => {
        const costs = await readGenerationCosts(deps, c.req.valid('query'))
        if (!wantsCsv(c)) return c.json(costs)
        return csvResponse(c, 'run-costs', generationCostsColumns, async () => ({
          items: costs.items,
          nextCursor: null,
        }))
      },
    }),
    route('readAnyOrder', 'GET /admin/orders/:id', sees, {
      summary: 'Get an order with its buyer, history and payments',
      output: { 200: ['The order', adminOrderView] },
      errors: ['order.not_found'],
      handler: (c) => readAdminOrder(deps, pathId(c, 'order.not_found')),
    }),
    route('assignOrder', 'PUT /admin/orders/:id/assignee', sees, {
      summary: 'Assign an order to a member of staff, who gets an email',
      input: { json: assignInput },
      output: { 204: 'Assigned' },
      errors: ['order.not_found', 'account.not_found'],
      handler: (c) => assignOrder(deps, decided(c, 'order.not_found'), c.req.valid('json').assignee),
    }),
    route('listColleagues', 'GET /admin/colleagues', sees, {
      summary: 'List the staff to whom work can be assigned',
      input: { query: colleaguesInput },
      output: { 200: ['Staff with the permission for the work', colleaguesSchema] },
      handler: async (c) => ({ items: await assignments.listColleagues(deps.db, c.req.valid('query').work) }),
    }),
    route('serveTransferProof', 'GET /admin/orders/:id/proof', sees, {
      summary: 'Get the transfer proof of an order',
      output: { 200: file('The picture as it was sent', 'image/*') },
      errors: ['order.not_found'],
      handler: async (c) => {
        const { body, contentType } = await openProof(deps, {
          id: pathId(c, 'order.not_found'),
          adminId: c.var.user.id,
        })
        return c.body(body, 200, privatePicture(contentType))
      },
    }),
    route('confirmOrder', 'POST /admin/orders/:id/confirm', money, {
      summary: 'Confirm the payment of an order',
      input: { json: confirmOrderInput },
      output: { 204: 'Paid', ...waitsForApproval },
      errors: [...approvalErrors, 'order.not_found', 'account.not_found'],
      handler: async (c) => {
        const waiting = await confirmOrder(deps, decided(c, 'order.not_found'), c.req.valid('json'))
        return waiting && reply(202, waiting)
      },
    }),
    route('confirmOrders', 'POST /admin/orders/confirm', money, {
      summary: 'Confirm the payments of several orders at their totals',
      input: { json: confirmOrdersInput },
      output: { 200: ['The outcome of each order', confirmedOrders] },
      handler: (c) => confirmOrders(deps, c.var.user.id, c.req.valid('json')),
    }),
    route('rejectOrder', 'POST /admin/orders/:id/cancel', money, {
      summary: 'Decline an unpaid order and email its buyer',
      input: { json: decideOrderInput },
      output: { 204: 'Cancelled' },
      errors: ['order.not_found', 'account.not_found', 'order.final'],
      handler: (c) => rejectOrder(deps, decided(c, 'order.not_found'), c.req.valid('json')),
    }),
    route('refundOrder', 'POST /admin/orders/:id/refunds', money, {
      summary: 'Send money of a paid order back by the gateway, or record a transfer; takes back unspent credits',
      input: { json: refundOrderInput },
      idempotencyKey: 'order',
      output: { 201: ['The payout; the same for a repeated idempotency key', refundedOrder] },
      errors: [
        'order.not_found',
        'account.not_found',
        'idempotency.reused',
        'order.not_paid',
        'order.not_refundable_by_gateway',
      ],
      handler: async (c) => {
        const key = c.var.idempotencyKey
        const refund = { orderId: pathId(c, 'order.not_found'), adminId: c.var.user.id, key }
        const { via, reference = '', ...input } = c.req.valid('json')
        if (via === 'gateway') return { ...(await refundByGateway(deps, refund, input)), credits: 0 }
        return { ...(await refundOrder(deps, refund, { ...input, reference })), status: 'sent' as const }
      },
    }),
    route('settlePayment', 'POST /admin/payments/:id/settle', money, {
      summary: 'Settle an unmatched payment',
      input: { json: settlePaymentInput },
      output: { 204: 'Settled' },
      errors: ['payment.not_found', 'account.not_found'],
      handler: (c) => settlePayment(deps, decided(c, 'payment.not_found'), c.req.valid('json')),
    }),
    route('listAllLedger', 'GET /admin/ledger', may('people'), {
      summary: 'List all ledger entries, newest first, filtered by account, kind and time',
      input: { query: listAllLedgerInput },
      output: { 200: ['One page of results', adminLedgerPage] },
      handler: (c) =>
        listResponse(c, 'credits', ledgerColumns, (page) => listAllLedger(deps, c.req.valid('query'), page)),
    }),
    route('sumLedger', 'GET /admin/ledger/totals', may('people'), {
      summary: 'Get count and total credits of the filtered ledger entries',
      input: { query: ledgerFilter },
      output: { 200: ['The sums', ledgerTotals] },
      handler: (c) => sumLedger(deps, c.req.valid('query')),
    }),
    route('listDifferences', 'GET /admin/billing_differences', money, {
      summary: 'List differences found by reconciliation',
      output: { 200: ['The differences of the latest checks', differenceList] },
      handler: async () => {
        const [open, checks] = await Promise.all([listDifferences(deps), listChecks(deps)])
        return { ...open, checks }
      },
    }),
    route('settleUnknown', 'POST /admin/billing_differences/settle', money, {
      summary: 'Settle all unknown payments and sessions named by webhooks',
      input: { json: settleUnknownInput },
      output: { 200: ['The number of settled differences', type({ settled: 'number.integer' })] },
      errors: ['payment.not_found'],
      handler: async (c) => ({ settled: await settleUnknown(deps, c.var.user.id, c.req.valid('json')) }),
    }),
    route('listRefundRequests', 'GET /admin/claims', refundRequests, {
      summary: 'List refund requests: open ones oldest first, decided ones newest first',
      input: { query: listRefundRequestsInput },
      output: { 200: ['The refund requests', adminRefundRequestPage] },
      handler: async (c) => {
        const query = c.req.valid('query')
        const { id: staffId } = c.var.user
        if (!wantsCsv(c)) return await generations.listRefundRequests(deps, staffId, query)
        return csvResponse(c, 'refund-requests', refundRequestColumns, (page) =>
          generations.listRefundRequests(deps, staffId, query, page),
        )
      },
    }),
    route('assignRefundRequest', 'PUT /admin/claims/:id/assignee', refundRequests, {
      summary: 'Assign a refund request to a member of staff, who gets an email',
      input: { json: assignInput },
      output: { 204: 'Assigned' },
      errors: ['generation.not_found', 'account.not_found'],
      handler: (c) =>
        generations.assignRefundRequest(deps, decided(c, 'generation.not_found'), c.req.valid('json').assignee),
    }),
    route('decideRefundRequest', 'POST /admin/claims/:id', refundRequests, {
      summary: 'Accept or decline a refund request',
      input: { json: decideRefundRequestInput },
      output: { 204: 'Decided' },
      errors: ['generation.not_found', 'account.not_found'],
      handler: async (c) => {
        const decision = decided(c, 'generation.not_found')
        const found = await generations.decideRefundRequest(deps, decision, c.req.valid('json'))
        if (!found) throw appError('generation.not_found')
      },
    }),
  ]
}
