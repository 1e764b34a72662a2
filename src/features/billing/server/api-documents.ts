import { type } from 'arktype'
import type { DescribeRouteOptions } from 'hono-openapi'
import { ledgerKinds } from '#features/credits/contract.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import {
  adminLedgerEntry,
  driverIds,
  orderActors,
  paymentProblems,
  priceHistory,
  voucherKinds,
  voucherView,
} from '../contract.ts'
import { methodIds } from '../methods.ts'
import { simulatorActions } from './simulate.ts'

const moment = type('string').describe('ISO 8601 in UTC')
const cursor = type('string | null').describe('asks for the next page; null on the last one')
const method = type.enumerated(...methodIds)
const driver = type.enumerated(...driverIds)
const voucherKind = type.enumerated(...voucherKinds)
const status = type('0 | 1 | 2 | 3').describe('0 Menunggu Konfirmasi, 1 Belum Bayar, 2 Lunas, 3 Batal')
const idr = type('number.integer').describe('whole rupiah')

const packageOnSale = type({
  id: 'string',
  name: 'string',
  cents: 'number.integer',
  idr,
  credits: type('number.integer | null').describe('null when it is unlimited'),
  days: 'number.integer',
})
const packageList = type({ items: packageOnSale.array(), idrPerUsd: 'number.integer' })

const orderFields = {
  id: 'string',
  status,
  package: type({
    id: 'string',
    name: 'string',
    cents: 'number.integer',
    credits: 'number.integer | null',
    days: 'number.integer',
  }).or('null'),
  voucher: type({ code: 'string', kind: voucherKind, credits: 'number.integer' }).or('null'),
  idrPerUsd: 'number.integer',
  subtotalIdr: idr,
  discountIdr: idr,
  totalIdr: idr,
  method: method.or('null'),
  payment: type({
    driver,
    status: "'creating' | 'open' | 'failed'",
    url: 'string | null',
    vaNumber: 'string | null',
    qrContent: 'string | null',
    account: type({ bank: 'string', number: 'string', holder: 'string' }).or('null'),
    expiresAt: 'string | null',
  }).or('null'),
  receiptNumber: 'string | null',
  moneyProblem: type.enumerated(...paymentProblems).or('null'),
  proofSent: 'boolean',
  canCancel: 'boolean',
  canPayAgain: 'boolean',
  canReportTransfer: 'boolean',
  createdAt: moment,
  expiresAt: 'string | null',
  paidAt: 'string | null',
  history: type({
    from: status.or('null'),
    to: status,
    by: type.enumerated(...orderActors),
    reason: 'string',
    at: moment,
  }).array(),
} as const
const order = type(orderFields)
const adminOrder = type({
  ...orderFields,
  buyer: { id: 'string', name: 'string', email: 'string' },
  driver: driver.or('null'),
  payments: type({
    id: 'string',
    amount: 'number.integer',
    currency: 'string',
    problem: type.enumerated(...paymentProblems).or('null'),
    receivedAt: moment,
    settlement: 'string | null',
  }).array(),
})

const ledgerEntry = type({
  id: 'number.integer',
  kind: type.enumerated(...ledgerKinds),
  amount: 'number.integer',
  balanceAfter: 'number.integer',
  unlimited: 'boolean',
  note: 'string | null',
  createdAt: moment,
  generation: type({ id: 'string', tool: 'string', thumbnailUrl: 'string | null' }).or('null'),
  order: type({
    id: 'string',
    packageName: 'string | null',
    voucherCode: 'string | null',
    receiptNumber: 'string | null',
  }).or('null'),
})

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
const everybody = { security: [] }
const simulated = type({
  id: 'string',
  orderId: 'string',
  amount: idr,
  method,
  status: 'string',
  payments: type('number.integer').describe('how many arrived'),
  expiresAt: moment,
})

/** Each route of billing as it stands in /api/openapi.json. */
export const documents = {
  packages: documented(
    'Packages on sale, in dollars and rupiah',
    respondsWith(200, 'The packages', packageList),
    everybody,
  ),
  methods: documented(
    'How an order can be paid',
    respondsWith(
      200,
      'The methods that are on offer',
      type({
        items: type({
          id: method,
          name: 'string',
          image: 'string',
          kind: "'bank' | 'qris' | 'wallet'",
          min: idr,
          max: idr,
          expiresInSeconds: 'number.integer',
          approvalSeconds: 'number.integer | null',
          asksMobileNumber: 'boolean',
          driver,
        }).array(),
      }),
    ),
    everybody,
  ),
  verifyVoucher: documented(
    'What a voucher would change; nothing is held',
    respondsWith(
      200,
      'What it changes',
      type({
        code: 'string',
        kind: voucherKind,
        credits: 'number.integer',
        subtotalIdr: idr,
        discountIdr: idr,
        totalIdr: idr,
      }),
    ),
  ),
  place: documented(
    'Place an order and open its payment',
    { ...respondsWith(201, 'The order', order), ...respondsWith(200, 'The key came before: the same order', order) },
    { parameters: [key] },
  ),
  list: documented(
    'The orders, newest first',
    respondsWith(200, 'A page of them', type({ items: order.array(), nextCursor: cursor })),
  ),
  read: documented('One order with its history', respondsWith(200, 'The order', order)),
  check: documented(
    'Ask the gateway whether the order has been paid, as when the buyer comes back from paying',
    respondsWith(200, 'The order as it is now', order),
  ),
  cancel: documented('Cancel an unpaid order', respondsWith(200, 'The order, cancelled', order)),
  reportTransfer: documented(
    'Say that it was transferred, with the picture that proves it',
    respondsWith(200, 'The order, awaiting confirmation', order),
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
      ...respondsWith(200, 'The order with an open payment', order),
      ...respondsWith(201, 'The order was cancelled: a new one like it', order),
    },
    { parameters: [key] },
  ),
  receipt: documented('The receipt of a paid order', file('The receipt', 'application/pdf')),
  ledger: documented(
    'The credit history, newest first',
    respondsWith(200, 'A page of it', type({ items: ledgerEntry.array(), nextCursor: cursor })),
  ),
  webhook: documented(
    'The payment gateway says that something has happened',
    respondsWith(200, 'Understood', type({ received: 'boolean' })),
    everybody,
  ),
  simulator: documented('A simulated payment, for people as a page', respondsWith(200, 'It', simulated), everybody),
  simulate: documented(
    `Let something happen to it: ${simulatorActions.join(', ')}`,
    respondsWith(200, 'The simulated payment afterwards', simulated),
    everybody,
  ),
}

/** The same for what admins do with money. */
export const adminDocuments = {
  list: documented(
    'Orders of everybody, newest first; status 0 of the driver manual are transfers that wait for somebody to look',
    respondsWith(200, 'A page of them', type({ items: adminOrder.array(), nextCursor: cursor })),
  ),
  read: documented(
    'An order with its buyer, its history and the money that arrived',
    respondsWith(200, 'The order', adminOrder),
  ),
  proof: documented('The picture that proves a transfer', file('The picture as it was sent', 'image/*')),
  confirm: documented('The money has arrived: the order is paid', respondsWith(204, 'It is paid')),
  refuse: documented('Turn an unpaid order down; its buyer is told by mail', respondsWith(204, 'It is cancelled')),
  settlePayment: documented(
    'Money that paid for nothing is taken care of',
    respondsWith(204, 'It is no difference any more'),
  ),
  settleUnknown: documented(
    'Payments and sessions that a webhook named and nobody here knows are taken care of',
    respondsWith(200, 'How many are no difference any more', type({ settled: 'number.integer' })),
  ),
  makeVoucher: documented('Make a voucher', respondsWith(201, 'The voucher', voucherView)),
  vouchers: documented(
    'Vouchers with their uses, newest first',
    respondsWith(200, 'A page of them', type({ items: voucherView.array(), nextCursor: cursor })),
  ),
  editVoucher: documented(
    'Change when, how often and whether a voucher can be used, from the next order on; `active: false` ends it',
    respondsWith(200, 'The voucher as it is now', voucherView),
  ),
  ledger: documented(
    'Everybody’s credit history, newest first, by account, kind and time',
    respondsWith(200, 'A page of it', type({ items: adminLedgerEntry.array(), nextCursor: cursor })),
  ),
  packages: documented(
    'Every package as it is and was, and the rates, the newest first',
    respondsWith(200, 'The prices', priceHistory),
  ),
  setPackage: documented(
    'Change what a package costs and contains, from the next order on',
    respondsWith(200, 'What is on sale now', packageList),
  ),
  setRate: documented(
    'Set the rupiah for a dollar, from the next order on',
    respondsWith(200, 'What is on sale now', packageList),
  ),
  differences: documented(
    'What does not agree in the books',
    respondsWith(
      200,
      'What the last checks found',
      type({
        items: type({
          key: 'string',
          check: type('string').describe('books (hourly), gateway (daily) or webhook'),
          what: 'string',
          subjectId: 'string',
          expected: 'string',
          found: 'string',
          userId: 'string | null',
          count: type('number.integer').describe('how often it was seen'),
          firstSeenAt: moment,
          lastSeenAt: moment,
          resolvedAt: 'string | null',
          settledBy: 'string | null',
          settlement: 'string | null',
        }).array(),
        groups: type({ check: 'string', what: 'string', count: 'number.integer', lastSeenAt: moment }).array(),
        checks: type({
          check: 'string',
          startedAt: moment,
          finishedAt: 'string | null',
          failedAt: type('string | null').describe('set while the last run of the check ended with an error'),
          error: 'string | null',
        }).array(),
      }),
    ),
  ),
  claims: documented(
    'Claims that wait for a decision, oldest first',
    respondsWith(
      200,
      'The claims',
      type({
        items: type({
          generationId: 'string',
          userId: 'string',
          name: 'string',
          tool: 'string',
          credits: 'number.integer',
          reason: 'string',
          createdAt: moment,
          files: type({ id: 'string', role: "'input' | 'output'" }).array(),
        }).array(),
      }),
    ),
  ),
  decideClaim: documented('Give the credits back, or decline', respondsWith(204, 'It is decided')),
}
