import type { Context } from 'hono'
import { formBody, formErrors, uploads } from '#features/uploads/server/uploads.ts'
import { ageErrors } from '#server/auth/age.ts'
import { requireUser } from '#server/auth/require-user.ts'
import { appError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { file, reply, route } from '#server/http/route.ts'
import { pathId } from '#server/http/validate.ts'
import { type } from '#shared/schema.ts'
import {
  createOrderInput,
  ledgerPage,
  listLedgerInput,
  listOrdersInput,
  orderPage,
  orderView,
  packageList,
  payAgainInput,
  paymentMethodList,
  setInvoiceInput,
  verifyVoucherInput,
  voucherPreview,
} from '../schemas.ts'
import { adminBillingRoutes } from './admin-routes.ts'
import { adminShopRoutes } from './admin-shop-routes.ts'
import { listPaymentMethods } from './drivers/find-driver.ts'
import { listLedger } from './ledger/list-ledger.ts'
import { createOrder } from './orders/create-order.ts'
import { cancelOrder } from './orders/expire-orders.ts'
import { setInvoiceBuyer } from './orders/order-record.ts'
import { receiptFile } from './orders/receipt.ts'
import { listOrders, readOrder } from './orders/view-order.ts'
import { payAgain, reportTransfer } from './payments/buyer-actions.ts'
import { followOpenSessions } from './payments/follow-attempt.ts'
import { checkXenditToken, handleXenditWebhook, xenditWebhook } from './payments/xendit-webhook.ts'
import { listPackages } from './prices/packages.ts'
import type { ReportDeps } from './reports/generation-costs.ts'
import { simulatorForThisMachine, simulatorRoutes } from './simulator.ts'
import { verifyVoucher } from './vouchers/vouchers.ts'

const minute = 60
const hour = 60 * minute

const placingErrors = [
  'idempotency.reused',
  'package.unknown',
  'order.too_many_open',
  'payment.method_unavailable',
  'payment.failed',
  ...ageErrors,
] as const

export function billingRoutes(deps: ReportDeps) {
  const signedIn = requireUser(deps)
  const limited = (rule: string, limit: number, seconds: number) => (c: Context<UserEnv>) => [
    { rule: `billing:${rule}`, subject: c.var.user.id, limit, seconds },
  ]

  const offered = simulatorForThisMachine(deps)

  return [
    route('listPackages', 'GET /packages', 'visitor', {
      summary: 'List packages on sale with prices in dollars and rupiah',
      output: { 200: ['The packages', packageList] },
      handler: () => listPackages(deps),
    }),
    route('listPaymentMethods', 'GET /payment_methods', 'visitor', {
      summary: 'List payment methods',
      output: { 200: ['The available payment methods', paymentMethodList] },
      handler: (c) => ({ items: listPaymentMethods(offered(c)) }),
    }),
    route('verifyVoucher', 'POST /vouchers/verify', signedIn, {
      summary: 'Preview a voucher without reserving it',
      input: { json: verifyVoucherInput },
      limits: limited('voucher', 30, 15 * minute),
      output: { 200: ["The voucher's effect", voucherPreview] },
      errors: ['package.unknown', 'voucher.invalid', 'voucher.verification_failed'],
      handler: async (c) => {
        const { id } = c.var.user
        return await verifyVoucher(deps, id, c.req.valid('json'))
      },
    }),
    route('createOrder', 'POST /orders', signedIn, {
      summary: 'Place an order and open its payment',
      input: { json: createOrderInput },
      idempotencyKey: 'order',
      limits: limited('order', 60, hour),
      output: { 201: ['The order', orderView], 200: ['Repeated idempotency key: the same order', orderView] },
      errors: [...placingErrors, 'voucher.invalid', 'order.not_found'],
      handler: async (c) => {
        const { id: userId } = c.var.user
        const key = c.var.idempotencyKey
        const { packageId, voucherCode, method, mobileNumber } = c.req.valid('json')
        const { id, created } = await createOrder(offered(c), userId, key, {
          packageId: packageId ?? null,
          voucherCode: voucherCode ?? null,
          method: method ?? null,
          mobileNumber: mobileNumber ?? null,
          acceptedAt: deps.clock(),
        })
        c.header('location', `/api/orders/${id}`)
        return reply(created ? 201 : 200, await readOrder(deps, userId, id))
      },
    }),
    route('listOrders', 'GET /orders', signedIn, {
      summary: 'List your orders, newest first',
      input: { query: listOrdersInput },
      output: { 200: ['One page of results', orderPage] },
      handler: (c) => listOrders(deps, c.var.user.id, c.req.valid('query')),
    }),
    route('readOrder', 'GET /orders/:id', signedIn, {
      summary: 'Get an order with its history',
      output: { 200: ['The order', orderView] },
      errors: ['order.not_found'],
      handler: (c) => readOrder(deps, c.var.user.id, pathId(c, 'order.not_found')),
    }),
    route('cancelOrder', 'POST /orders/:id/cancel', signedIn, {
      summary: 'Cancel an unpaid order',
      output: { 200: ['The order, cancelled', orderView] },
      errors: ['order.not_found', 'order.not_cancellable'],
      handler: async (c) => {
        const id = pathId(c, 'order.not_found')
        await cancelOrder(deps, c.var.user.id, id)
        return await readOrder(deps, c.var.user.id, id)
      },
    }),
    route('setInvoiceBuyer', 'PUT /orders/:id/invoice', signedIn, {
      summary: 'Set or remove the company on the invoice of an unpaid order',
      input: { json: setInvoiceInput },
      limits: limited('invoice', 60, hour),
      output: { 200: ['The updated order', orderView] },
      errors: ['order.not_found', 'order.invoice_final'],
      handler: async (c) => {
        const { id: userId } = c.var.user
        const id = pathId(c, 'order.not_found')
        await setInvoiceBuyer(deps, { id, userId, buyer: c.req.valid('json').buyer })
        return await readOrder(deps, userId, id)
      },
    }),
    route('checkOrder', 'POST /orders/:id/check', signedIn, {
      summary: "Check an order's payment at the gateway",
      limits: limited('check', 60, 15 * minute),
      output: { 200: ['The updated order', orderView] },
      errors: ['order.not_found'],
      handler: async (c) => {
        const { id: userId } = c.var.user
        const id = pathId(c, 'order.not_found')
        await readOrder(deps, userId, id)
        await followOpenSessions(deps, id)
        return await readOrder(deps, userId, id)
      },
    }),
    route('reportTransfer', 'POST /orders/:id/report_transfer', signedIn, {
      summary: 'Report a manual transfer with its proof',
      body: formBody({ properties: { proof: { type: 'string', format: 'binary' } }, required: ['proof'] }),
      limits: limited('report', 20, hour),
      output: { 200: ['The order, awaiting confirmation', orderView] },
      errors: [
        ...formErrors,
        'order.not_found',
        'upload.missing',
        'upload.unreadable',
        'upload.not_found',
        'upload.not_ready',
        'order.not_reportable',
      ],
      handler: async (c) => {
        const { id: userId } = c.var.user
        const id = pathId(c, 'order.not_found')
        await uploads.receiveForm(deps, c.req.raw, { userId, fields: [], maxFiles: 1 }, async ({ inputs }) => {
          const [sent] = inputs.proof ?? []
          if (!sent) throw appError('upload.missing', { details: { proof: 'form.required' } })
          const proof = await uploads.requireReadyUpload(deps, userId, sent.upload)
          // The admin views the picture in a browser, and most browsers do not show HEIC.
          if (proof.contentType === 'image/heic')
            throw appError('upload.unreadable', { details: { proof: 'upload.unreadable' } })
          await reportTransfer(deps, userId, { id, proof })
        })
        return await readOrder(deps, userId, id)
      },
    }),
    route('payAgain', 'POST /orders/:id/pay_again', signedIn, {
      summary: 'Retry the payment of an order, or place it again',
      input: { json: payAgainInput },
      idempotencyKey: 'order',
      limits: limited('order', 60, hour),
      output: {
        200: ['The order with an open payment', orderView],
        201: ['The order was cancelled: a new order with the same terms', orderView],
      },
      errors: [...placingErrors, 'order.not_found', 'order.not_payable'],
      handler: async (c) => {
        const { id: userId } = c.var.user
        const key = c.var.idempotencyKey
        const { method, mobileNumber } = c.req.valid('json')
        const again = await payAgain(offered(c), userId, key, {
          id: pathId(c, 'order.not_found'),
          method: method ?? null,
          mobileNumber: mobileNumber ?? null,
        })
        return reply(again.created ? 201 : 200, await readOrder(deps, userId, again.id))
      },
    }),
    route('downloadReceipt', 'GET /orders/:id/receipt.pdf', signedIn, {
      summary: 'Download the receipt of a paid order',
      output: { 200: file('The receipt', 'application/pdf') },
      errors: ['order.not_found', 'order.not_paid'],
      handler: async (c) => {
        const { id: userId } = c.var.user
        const file = await receiptFile(deps, {
          orderId: pathId(c, 'order.not_found'),
          userId,
          language: c.var.language,
        })
        return c.body(Buffer.from(file.bytes), 200, {
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="${file.name}"`,
          'cache-control': 'private, no-store',
        })
      },
    }),
    route('listLedger', 'GET /user/ledger', signedIn, {
      summary: 'List your credit history, newest first',
      input: { query: listLedgerInput },
      output: { 200: ['One page of results', ledgerPage] },
      handler: async (c) => {
        const { user, sessionId } = c.var
        return await listLedger(deps, { userId: user.id, sessionId }, c.req.valid('query'))
      },
    }),
    route('receiveXenditWebhook', 'POST /webhooks/xendit', 'visitor', {
      summary: 'Receive a payment gateway webhook',
      input: { json: xenditWebhook },
      before: async (c, next) => {
        checkXenditToken(deps, c.req.header('x-callback-token'))
        await next()
      },
      output: { 200: ['Received', type({ received: 'boolean' })] },
      handler: async (c) => {
        await handleXenditWebhook(deps, c.req.valid('json'))
        return { received: true }
      },
    }),
    ...simulatorRoutes(deps, offered),
    ...adminBillingRoutes(deps),
    ...adminShopRoutes(deps),
  ]
}
