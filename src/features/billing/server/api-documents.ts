import type { DescribeRouteOptions } from 'hono-openapi'
import { type } from '#contract/schema.ts'
import { waitsForApproval } from '#features/approvals/server/approvals.ts'
import { adminRefundRequestPage } from '#features/generations/schemas.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import * as adminSchemas from '../admin/schemas.ts'
import * as schemas from '../schemas.ts'
import { simulatorActions } from './simulator/simulate.ts'

const key: NonNullable<DescribeRouteOptions['parameters']>[number] = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', maxLength: 200 },
  description: 'the same key again returns the same order',
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
  payments: type('number.integer').describe('how many arrived'),
  expiresAt: 'string',
})

/** Descriptions of billing's routes in /api/openapi.json. */
export const documents = {
  packages: documented(
    'Packages on sale, in dollars and rupiah',
    respondsWith(200, 'The packages', schemas.packageList),
    withoutSignIn,
  ),
  methods: documented(
    'How an order can be paid',
    respondsWith(200, 'The methods that are on offer', schemas.paymentMethodList),
    withoutSignIn,
  ),
  verifyVoucher: documented(
    'What a voucher would change; nothing is held',
    respondsWith(200, 'What it changes', schemas.voucherPreview),
  ),
  place: documented(
    'Place an order and open its payment',
    {
      ...respondsWith(201, 'The order', schemas.orderView),
      ...respondsWith(200, 'The key came before: the same order', schemas.orderView),
    },
    { parameters: [key] },
  ),
  list: documented('The orders, newest first', respondsWith(200, 'A page of them', schemas.orderPage)),
  read: documented('One order with its history', respondsWith(200, 'The order', schemas.orderView)),
  check: documented(
    'Ask the gateway whether the order has been paid, as when the buyer comes back from paying',
    respondsWith(200, 'The order as it is now', schemas.orderView),
  ),
  cancel: documented('Cancel an unpaid order', respondsWith(200, 'The order, cancelled', schemas.orderView)),
  reportTransfer: documented(
    'Say that it was transferred, with the picture that proves it',
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
    'Another go at paying, or the same order anew',
    {
      ...respondsWith(200, 'The order with an open payment', schemas.orderView),
      ...respondsWith(201, 'The order was cancelled: a new one like it', schemas.orderView),
    },
    { parameters: [key] },
  ),
  receipt: documented('The receipt of a paid order', file('The receipt', 'application/pdf')),
  ledger: documented('The credit history, newest first', respondsWith(200, 'A page of it', schemas.ledgerPage)),
  webhook: documented(
    'The payment gateway says that something has happened',
    respondsWith(200, 'Understood', type({ received: 'boolean' })),
    withoutSignIn,
  ),
  simulator: documented('A simulated payment, for people as a page', respondsWith(200, 'It', simulated), withoutSignIn),
  simulate: documented(
    `Let something happen to it: ${simulatorActions.join(', ')}`,
    respondsWith(200, 'The simulated payment afterwards', simulated),
    withoutSignIn,
  ),
}

export const adminDocuments = {
  list: documented(
    'Orders of everybody, newest first; status 0 of the driver manual are transfers that wait for somebody to look',
    respondsWith(200, 'A page of them', adminSchemas.adminOrderPage),
  ),
  totals: documented(
    'How many orders there are with these filters, and their money',
    respondsWith(200, 'The sums', adminSchemas.orderTotals),
  ),
  revenue: documented(
    'Money of a span of time by method, package and voucher, and what is owed for unspent credits',
    respondsWith(200, 'The sums', adminSchemas.revenue),
  ),
  read: documented(
    'An order with its buyer, its history and the money that arrived',
    respondsWith(200, 'The order', adminSchemas.adminOrderView),
  ),
  proof: documented('The picture that proves a transfer', file('The picture as it was sent', 'image/*')),
  confirm: documented('The money has arrived: the order is paid', {
    ...respondsWith(204, 'It is paid'),
    ...waitsForApproval,
  }),
  refuse: documented('Turn an unpaid order down; its buyer is told by mail', respondsWith(204, 'It is cancelled')),
  refund: documented(
    'Money of a paid order was sent back, whole or in part; unspent credits are taken back with it',
    respondsWith(201, 'What went back; the same for the same key', adminSchemas.refundedOrder),
    { parameters: [key] },
  ),
  settlePayment: documented(
    'Money that paid for nothing is taken care of',
    respondsWith(204, 'It is no difference any more'),
  ),
  settleUnknown: documented(
    'Payments and sessions that a webhook named and nobody here knows are taken care of',
    respondsWith(200, 'How many are no difference any more', type({ settled: 'number.integer' })),
  ),
  makeVoucher: documented('Make a voucher', {
    ...respondsWith(201, 'The voucher', adminSchemas.voucherView),
    ...waitsForApproval,
  }),
  vouchers: documented(
    'Vouchers with their uses, newest first',
    respondsWith(200, 'A page of them', adminSchemas.voucherPage),
  ),
  editVoucher: documented(
    'Change when, how often and whether a voucher can be used, from the next order on; `active: false` ends it',
    { ...respondsWith(200, 'The voucher as it is now', adminSchemas.voucherView), ...waitsForApproval },
  ),
  ledger: documented(
    'Everybody’s credit history, newest first, by account, kind and time',
    respondsWith(200, 'A page of it', adminSchemas.adminLedgerPage),
  ),
  ledgerTotals: documented(
    'How many entries there are with these filters, and their credits',
    respondsWith(200, 'The sums', adminSchemas.ledgerTotals),
  ),
  packages: documented(
    'Every package as it is and was, and the rates, the newest first',
    respondsWith(200, 'The prices', adminSchemas.priceHistory),
  ),
  setPackage: documented(
    'Change what a package costs and contains, from the next order on',
    respondsWith(200, 'What is on sale now', schemas.packageList),
  ),
  setRate: documented(
    'Set the rupiah for a dollar, from the next order on',
    respondsWith(200, 'What is on sale now', schemas.packageList),
  ),
  differences: documented(
    'What reconciliation found that does not agree',
    respondsWith(200, 'What the last checks found', adminSchemas.differenceList),
  ),
  refundRequests: documented(
    'Refund requests that wait for a decision, oldest first, or others, newest first',
    respondsWith(200, 'The refund requests', adminRefundRequestPage),
  ),
  decideRefundRequest: documented('Give the credits back, or decline', respondsWith(204, 'It is decided')),
}
