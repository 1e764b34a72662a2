import { Hono } from 'hono'
import { uploads } from '#features/uploads/server/uploads.ts'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { idempotencyKey } from '#server/http/idempotency-key.ts'
import { pathId } from '#server/http/path-id.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { jsonOnly, valid, validJson } from '#server/http/validate.ts'
import { createOrderInput, listLedgerInput, listOrdersInput, payAgainInput, verifyVoucherInput } from '../schemas.ts'
import { adminBillingRoutes } from './admin-routes.ts'
import { documents } from './api-documents.ts'
import { listLedger } from './ledger/list-ledger.ts'
import { cancelOrder } from './orders/cancel-order.ts'
import { createOrder } from './orders/create-order.ts'
import { receiptFile } from './orders/receipt.ts'
import { listOrders, readOrder } from './orders/view-order.ts'
import { followOpenSessions } from './payments/follow-attempt.ts'
import { payAgain } from './payments/pay-again.ts'
import { listPaymentMethods } from './payments/payment-methods.ts'
import { reportTransfer } from './payments/report-transfer.ts'
import { checkXenditToken, handleXenditWebhook, xenditWebhook } from './payments/xendit-webhook.ts'
import { listPackages } from './prices/packages.ts'
import { simulatorForThisMachine } from './simulator/simulator-access.ts'
import { simulatorRoutes } from './simulator/simulator-routes.ts'
import { verifyVoucher } from './vouchers/verify-voucher.ts'

const minute = 60
const hour = 60 * minute

export function billingRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  const limited = (userId: string, rule: string, limit: number, seconds: number) =>
    limitRate(deps, [{ rule: `billing:${rule}`, subject: userId, limit, seconds }])

  const offered = simulatorForThisMachine(deps)

  return new Hono<UserEnv>()
    .get('/packages', documents.packages, async (c) => c.json(await listPackages(deps)))
    .get('/payment_methods', documents.methods, (c) => c.json({ items: listPaymentMethods(offered(c)) }))
    .post('/vouchers/verify', documents.verifyVoucher, signedIn, jsonOnly, validJson(verifyVoucherInput), async (c) => {
      const { id } = c.var.user
      await limited(id, 'voucher', 30, 15 * minute)
      return c.json(await verifyVoucher(deps, id, c.req.valid('json')))
    })
    .post('/orders', documents.place, signedIn, jsonOnly, validJson(createOrderInput), async (c) => {
      const { id: userId } = c.var.user
      const key = idempotencyKey(c.req.header('idempotency-key'))
      await limited(userId, 'order', 60, hour)
      const { packageId, voucherCode, method, mobileNumber } = c.req.valid('json')
      const { id, created } = await createOrder(offered(c), userId, key, {
        packageId: packageId ?? null,
        voucherCode: voucherCode ?? null,
        method: method ?? null,
        mobileNumber: mobileNumber ?? null,
        acceptedAt: deps.clock(),
      })
      c.header('location', `/api/orders/${id}`)
      return c.json(await readOrder(deps, userId, id), created ? 201 : 200)
    })
    .get('/orders', documents.list, signedIn, valid('query', listOrdersInput), async (c) => {
      return c.json(await listOrders(deps, c.var.user.id, c.req.valid('query')))
    })
    .get('/orders/:id', documents.read, signedIn, async (c) =>
      c.json(await readOrder(deps, c.var.user.id, pathId(c, 'order.not_found'))),
    )
    .post('/orders/:id/cancel', documents.cancel, signedIn, async (c) => {
      const id = pathId(c, 'order.not_found')
      await cancelOrder(deps, c.var.user.id, id)
      return c.json(await readOrder(deps, c.var.user.id, id))
    })
    .post('/orders/:id/check', documents.check, signedIn, async (c) => {
      const { id: userId } = c.var.user
      const id = pathId(c, 'order.not_found')
      await readOrder(deps, userId, id)
      await limited(userId, 'check', 60, 15 * minute)
      await followOpenSessions(deps, id)
      return c.json(await readOrder(deps, userId, id))
    })
    .post('/orders/:id/report_transfer', documents.reportTransfer, signedIn, async (c) => {
      const { id: userId } = c.var.user
      const id = pathId(c, 'order.not_found')
      await limited(userId, 'report', 20, hour)
      await uploads.receiveForm(deps, c.req.raw, { userId, fields: [], maxFiles: 1 }, async ({ inputs }) => {
        const [sent] = inputs.proof ?? []
        if (!sent) throw appError('upload.missing', { details: { proof: 'form.required' } })
        const proof = await uploads.requireReadyUpload(deps, userId, sent.upload)
        // The admin views the picture in a browser, and most browsers do not show HEIC.
        if (proof.contentType === 'image/heic')
          throw appError('upload.unreadable', { details: { proof: 'upload.unreadable' } })
        await reportTransfer(deps, userId, { id, proof })
      })
      return c.json(await readOrder(deps, userId, id))
    })
    .post('/orders/:id/pay_again', documents.payAgain, signedIn, jsonOnly, validJson(payAgainInput), async (c) => {
      const { id: userId } = c.var.user
      const key = idempotencyKey(c.req.header('idempotency-key'))
      await limited(userId, 'order', 60, hour)
      const { method, mobileNumber } = c.req.valid('json')
      const again = await payAgain(offered(c), userId, key, {
        id: pathId(c, 'order.not_found'),
        method: method ?? null,
        mobileNumber: mobileNumber ?? null,
      })
      return c.json(await readOrder(deps, userId, again.id), again.created ? 201 : 200)
    })
    .get('/orders/:id/receipt.pdf', documents.receipt, signedIn, async (c) => {
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
    })
    .get('/user/ledger', documents.ledger, signedIn, valid('query', listLedgerInput), async (c) => {
      const { user, sessionId } = c.var
      return c.json(await listLedger(deps, { userId: user.id, sessionId }, c.req.valid('query')))
    })
    .post(
      '/webhooks/xendit',
      documents.webhook,
      async (c, next) => {
        checkXenditToken(deps, c.req.header('x-callback-token'))
        await next()
      },
      jsonOnly,
      validJson(xenditWebhook),
      async (c) => {
        await handleXenditWebhook(deps, c.req.valid('json'))
        return c.json({ received: true })
      },
    )
    .route('/', simulatorRoutes(deps, offered))
    .route('/admin', adminBillingRoutes(deps))
}
