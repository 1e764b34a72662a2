import { infiniteQueryOptions, type QueryClient, queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import { ApiError, apiFetch, apiJson } from '#client/api.ts'
import { refresh } from '#client/query.ts'
import { saveBlob } from '#client/save-blob.ts'
import { readStoredJson, sessionKeys } from '#client/storage.ts'
import type { Page } from '#shared/paging.ts'
import type { MethodId } from '../payment-methods.ts'
import { type InvoiceBuyer, isOpenOrder, orderStatus } from '../rules.ts'
import type { LedgerEntryView, OrderView, PaymentMethodView, VoucherPreview } from '../schemas.ts'

const pathOf = (id: string) => `/api/orders/${encodeURIComponent(id)}`

export interface Payment {
  method: MethodId | null
  mobileNumber: string | null
}

interface Basket extends Payment {
  packageId: string | null
  voucherCode: string | null
}

/** A retry returns the same order. Both texts were accepted on the screen. */
export function placeOrder(basket: Basket): Promise<OrderView> {
  return withIdempotencyKey('order', basket, (headers) =>
    apiJson<OrderView>('/api/orders', { json: { ...basket, acceptPrivacy: true, acceptTerms: true }, headers }),
  )
}

/** Returns the order to pay, a new one if the old was cancelled. */
export function payAgain(id: string, by: Payment): Promise<OrderView> {
  return withIdempotencyKey(`again:${id}`, by, (headers) =>
    apiJson<OrderView>(`${pathOf(id)}/pay_again`, { json: by, headers }),
  )
}

/** Makes the server read the gateway, since the webhook may be late or lost. */
export function checkOrder(id: string): Promise<OrderView> {
  return apiJson<OrderView>(`${pathOf(id)}/check`, { method: 'POST' })
}

export function cancelOrder(id: string): Promise<OrderView> {
  return apiJson<OrderView>(`${pathOf(id)}/cancel`, { method: 'POST' })
}

/** Null for an invoice in the user's own name. */
export function setInvoiceBuyer(id: string, buyer: InvoiceBuyer | null): Promise<OrderView> {
  return apiJson<OrderView>(`${pathOf(id)}/invoice`, { method: 'PUT', json: { buyer } })
}

export function reportTransfer(id: string, proof: File): Promise<OrderView> {
  const body = new FormData()
  body.set('proof', proof)
  return apiJson<OrderView>(`${pathOf(id)}/report_transfer`, { body })
}

export async function saveReceipt(id: string, number: string): Promise<void> {
  const response = await apiFetch(`${pathOf(id)}/receipt.pdf`, { headers: { accept: 'application/pdf' } })
  await saveBlob(await response.blob(), `${number.replaceAll('/', '-')}.pdf`)
}

/** After other errors the server may have done the work anyway. */
function isAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429
}

/** Equal content keeps its Idempotency-Key, even through a reload, until the server answers. */
async function withIdempotencyKey<Answer>(
  purpose: string,
  content: unknown,
  work: (headers: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  const storageKey = sessionKeys.idempotencyKey + purpose
  const wanted = JSON.stringify(content)
  const kept = readStoredJson<{ content: string; key: string }>(storageKey, () => sessionStorage)
  const key = kept?.content === wanted ? kept.key : crypto.randomUUID()
  sessionStorage.setItem(storageKey, JSON.stringify({ content: wanted, key }))
  try {
    const answer = await work({ 'idempotency-key': key })
    sessionStorage.removeItem(storageKey)
    return answer
  } catch (error) {
    if (isAnswer(error)) sessionStorage.removeItem(storageKey)
    throw error
  }
}

/** Events may not arrive, so poll. */
const pollMs = 3000
/** A cancelled order is only paid by money already on its way. */
const latePollMs = 10_000

export const methodsQuery = queryOptions({
  queryKey: ['payment-methods'],
  queryFn: async ({ signal }) =>
    (await apiJson<{ items: PaymentMethodView[] }>('/api/payment_methods', { signal })).items,
})

/** Nothing is reserved, and the order may still be refused. */
export const voucherQuery = (code: string | null, packageId: string | null) =>
  queryOptions({
    queryKey: ['voucher', code, packageId],
    queryFn: ({ signal }) => apiJson<VoucherPreview>('/api/vouchers/verify', { json: { code, packageId }, signal }),
    enabled: code !== null,
    retry: false,
    staleTime: 60_000,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/**
 * Responses and events overtake each other. An order's history only grows, and a payment is
 * `creating` before it is `open`.
 */
function isOutdated(read: OrderView, known: OrderView): boolean {
  if (read.history.length !== known.history.length) return read.history.length < known.history.length
  return (
    read.payment?.status === 'creating' &&
    known.payment?.status === 'open' &&
    read.method === known.method &&
    read.payment.expiresAt === known.payment.expiresAt
  )
}

const newestOf = (known: OrderView | undefined, read: OrderView): OrderView =>
  known && isOutdated(read, known) ? known : replaceEqualDeep(known, read)

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: ({ signal }) => apiJson<OrderView>(`/api/orders/${encodeURIComponent(id)}`, { signal }),
    staleTime: 0,
    structuralSharing: (known, read) => newestOf(known as OrderView | undefined, read as OrderView),
    refetchInterval: ({ state: { data } }) => {
      if (!data || data.status === orderStatus.paid) return false
      return isOpenOrder(data) ? pollMs : latePollMs
    },
  })

const listQuery = <Item>(queryKey: string[], path: string) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      apiJson<Page<Item>>(`${path}?limit=10${pageParam ? `&cursor=${pageParam}` : ''}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    meta: { persist: true },
  })
export type ListQuery<Item> = ReturnType<typeof listQuery<Item>>

export const ordersQuery = listQuery<OrderView>(['orders', 'list'], '/api/orders')
/** Below `credits`, so that refetching the balance refetches its history. */
export const ledgerQuery = listQuery<LedgerEntryView>(['credits', 'ledger'], '/api/user/ledger')

/** A newly paid order changes the balance. */
export function rememberOrder(client: QueryClient, order: OrderView): void {
  client.setQueryData(orderQuery(order.id).queryKey, order)
  void refresh(client, ordersQuery.queryKey)
  if (order.status === orderStatus.paid) void refresh(client, ['credits'])
}

export const refreshOrders = (client: QueryClient): Promise<void> => refresh(client, ['orders'])
