import type { DescribeRouteOptions } from 'hono-openapi'
import { waitsForApproval } from '#features/approvals/server/approvals.ts'
import { adminRefundRequestPage } from '#features/generations/schemas.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import { type } from '#shared/schema.ts'
import * as adminSchemas from '../admin/schemas.ts'
import * as schemas from '../schemas.ts'
import { simulatorActions } from './simulator/simulate.ts'

const key: NonNullable<DescribeRouteOptions['parameters']>[number] = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', maxLength: 200 },
  description: 'repeating the key returns the same order',
}
const binary = { type: 'string', format: 'binary' } as const
const file = (description: string, contentType: string): DescribeRouteOptions['responses'] => ({
  200: { description, content: { [contentType]: { schema: binary } } },
})
const withoutSignIn = { security: [] }
const simulated = type({
  id: 'string',
  orderId: 'string',
  amount: 'number.integer',
  method: 'string',
  status: 'string',
  payments: type('number.integer').describe('number of devices received'),
  expiresAt: 'string',
})

export const documents = {
  packages: documented(
    'List packages on sale with prices in dollars and rupiah',
    respondsWith(200, 'The packages', schemas.packageList),
    withoutSignIn,
  ),
  methods: documented(
    'List payment methods',
    respondsWith(200, 'The available payment methods', schemas.paymentMethodList),
    withoutSignIn,
  ),
  verifyVoucher: documented(
    'Preview a voucher without reserving it',
    respondsWith(200, "The voucher's effect", schemas.voucherPreview),
  ),
  place: documented(
    'Place an order and open its payment',
    {
      ...respondsWith(201, 'The order', schemas.orderView),
      ...respondsWith(200, 'Repeated idempotency key: the same order', schemas.orderView),
    },
    { parameters: [key] },
  ),
  list: documented('List your orders, newest first', respondsWith(200, 'One page of results', schemas.orderPage)),
  read: documented('Get an order with its history', respondsWith(200, 'The order', schemas.orderView)),
  check: documented(
    "Check an order's payment at the gateway",
    respondsWith(200, 'The updated order', schemas.orderView),
  ),
  cancel: documented('Cancel an unpaid order', respondsWith(200, 'The order, cancelled', schemas.orderView)),
  reportTransfer: documented(
    'Report a manual transfer with its proof',
    respondsWith(200, 'The order, awaiting confirmation', schemas.orderView),
    {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': { schema: { type: 'object', properties: { proof: binary }, required: ['proof'] } },
        },
      },
    },
  ),
  payAgain: documented(
    'Retry the payment of an order, or place it again',
    {
      ...respondsWith(200, 'The order with an open payment', schemas.orderView),
      ...respondsWith(201, 'The order was cancelled: a new order with the same terms', schemas.orderView),
    },
    { parameters: [key] },
  ),
  receipt: documented('Download the receipt of a paid order', file('The receipt', 'application/pdf')),
  ledger: documented(
    'List your credit history, newest first',
    respondsWith(200, 'One page of results', schemas.ledgerPage),
  ),
  webhook: documented(
    'Receive a payment gateway webhook',
    respondsWith(200, 'Received', type({ received: 'boolean' })),
    withoutSignIn,
  ),
  simulator: documented(
    'Get a simulated payment; browsers get a page',
    respondsWith(200, 'The simulated payment', simulated),
    withoutSignIn,
  ),
  simulate: documented(
    `Simulate a payment event: ${simulatorActions.join(', ')}`,
    respondsWith(200, 'The simulated payment afterwards', simulated),
    withoutSignIn,
  ),
}

export const adminDocuments = {
  list: documented(
    'List all orders, newest first; with driver `manual`, status 0 means a transfer waiting for confirmation',
    respondsWith(200, 'One page of results', adminSchemas.adminOrderPage),
  ),
  totals: documented(
    'Get count and total amount of the filtered orders',
    respondsWith(200, 'The sums', adminSchemas.orderTotals),
  ),
  revenue: documented(
    'Get revenue of a period by method, package and voucher, and the liability for unspent credits',
    respondsWith(200, 'The sums', adminSchemas.revenue),
  ),
  read: documented(
    'Get an order with its buyer, history and payments',
    respondsWith(200, 'The order', adminSchemas.adminOrderView),
  ),
  proof: documented('Get the transfer proof of an order', file('The picture as it was sent', 'image/*')),
  confirm: documented('Confirm the payment of an order', {
    ...respondsWith(204, 'Paid'),
    ...waitsForApproval,
  }),
  refuse: documented('Decline an unpaid order and email its buyer', respondsWith(204, 'Cancelled')),
  refund: documented(
    'Record a full or partial payout for a paid order; also takes back unspent credits',
    respondsWith(201, 'The payout; the same for a repeated idempotency key', adminSchemas.refundedOrder),
    { parameters: [key] },
  ),
  settlePayment: documented('Settle an unmatched payment', respondsWith(204, 'Settled')),
  settleUnknown: documented(
    'Settle all unknown payments and sessions named by webhooks',
    respondsWith(200, 'The number of settled differences', type({ settled: 'number.integer' })),
  ),
  makeVoucher: documented('Create a voucher', {
    ...respondsWith(201, 'The voucher', adminSchemas.voucherView),
    ...waitsForApproval,
  }),
  vouchers: documented(
    'List vouchers with their uses, newest first',
    respondsWith(200, 'One page of results', adminSchemas.voucherPage),
  ),
  editVoucher: documented(
    "Update a voucher's dates and limits, effective from the next order; `active: false` ends it",
    { ...respondsWith(200, 'The updated voucher', adminSchemas.voucherView), ...waitsForApproval },
  ),
  ledger: documented(
    'List all ledger entries, newest first, filtered by account, kind and time',
    respondsWith(200, 'One page of results', adminSchemas.adminLedgerPage),
  ),
  ledgerTotals: documented(
    'Get count and total credits of the filtered ledger entries',
    respondsWith(200, 'The sums', adminSchemas.ledgerTotals),
  ),
  packages: documented(
    'List all package versions and exchange rates, newest first',
    respondsWith(200, 'The prices', adminSchemas.priceHistory),
  ),
  setPackage: documented(
    "Update a package's price and contents, effective from the next order",
    respondsWith(200, 'The packages on sale', schemas.packageList),
  ),
  setRate: documented(
    'Set the rupiah exchange rate, effective from the next order',
    respondsWith(200, 'The packages on sale', schemas.packageList),
  ),
  differences: documented(
    'List differences found by reconciliation',
    respondsWith(200, 'The differences of the latest checks', adminSchemas.differenceList),
  ),
  refundRequests: documented(
    'List refund requests: open ones oldest first, decided ones newest first',
    respondsWith(200, 'The refund requests', adminRefundRequestPage),
  ),
  decideRefundRequest: documented('Accept or decline a refund request', respondsWith(204, 'Decided')),
}
