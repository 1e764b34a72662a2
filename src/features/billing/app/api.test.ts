import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { OrderView, PaymentView } from '../schemas.ts'
import { orderQuery, rememberOrder } from './api.ts'

const payment: PaymentView = {
  driver: 'manual',
  status: 'creating',
  url: null,
  vaNumber: null,
  qrContent: null,
  account: null,
  expiresAt: '2026-11-24T09:00:00.000Z',
}
const placed = { from: null, to: 1, by: 'buyer', reason: 'placed', at: '2026-11-23T09:00:00.000Z' } as const
const creatingOrder = { id: 'an-order', status: 1, method: 'bsi', payment, history: [placed] } as unknown as OrderView
const open: OrderView = { ...creatingOrder, payment: { ...payment, status: 'open' } }
const reported: OrderView = {
  ...open,
  status: 0,
  history: [placed, { from: 1, to: 0, by: 'buyer', reason: 'transfer_reported', at: '2026-11-23T09:05:00.000Z' }],
}

afterEach(() => vi.unstubAllGlobals())

async function shown(read: OrderView) {
  vi.stubGlobal('fetch', async () => Response.json(read))
  const client = new QueryClient()
  const observer = new QueryObserver(client, { ...orderQuery(open.id), refetchInterval: false })
  const stop = observer.subscribe(() => {})
  await expect.poll(() => observer.getCurrentResult().fetchStatus).toBe('idle')
  return { client, stop, order: () => observer.getCurrentResult().data }
}

test('an event sent before an order could be paid does not remove its payment again', async () => {
  const { client, stop, order } = await shown(open)
  rememberOrder(client, creatingOrder)
  expect(order()).toEqual(open)
  stop()
})

test('a response requested before a transfer was reported does not set the order back to unpaid', async () => {
  const { client, stop, order } = await shown(open)
  rememberOrder(client, reported)
  await client.refetchQueries({ queryKey: orderQuery(open.id).queryKey })
  expect(order()).toEqual(reported)
  stop()
})

test('shows a failed payment, and a new payment attempt by another method', async () => {
  const { client, stop, order } = await shown(open)
  for (const next of [
    { ...open, payment: { ...payment, status: 'failed' } },
    { ...creatingOrder, method: 'qris' },
  ] as OrderView[]) {
    rememberOrder(client, next)
    expect(order()).toEqual(next)
  }
  stop()
})
