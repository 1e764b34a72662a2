import { infiniteQueryOptions, type QueryClient, queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import { apiJson } from '#client/api.ts'
import { refresh } from '#client/query.ts'
import type { Page } from '#shared/paging.ts'
import { isOpenOrder, orderStatus } from '../rules.ts'
import type { LedgerEntryView, OrderView, PaymentMethodView, VoucherPreview } from '../schemas.ts'

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
