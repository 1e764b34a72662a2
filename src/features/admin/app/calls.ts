import { keepPreviousData, type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import type { Page } from '#contract/paging.ts'
import type { AdminUserDetail, AdminUserView } from '#features/account/admin/types.ts'
import type { AuditEntryView, SecurityEventView } from '#features/audit/types.ts'
import type { AdminLedgerEntry, AdminOrderView, VoucherView } from '#features/billing/admin/types.ts'
import type { BoardCounts } from '#features/custom-edits/types.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { Period } from '../rules.ts'
import type { Dashboard, UserSummary } from '../types.ts'

type Params = Record<string, string>

/** A page of one of the server's lists; the page before stays until the next one is there. */
const listQuery =
  <Row>(name: string, path: string) =>
  (params: Params) =>
    queryOptions({
      queryKey: ['admin', name, 'list', params],
      queryFn: ({ signal }) => apiJson<Page<Row>>(`${path}?${new URLSearchParams(params)}`, { signal }),
      placeholderData: keepPreviousData,
      staleTime: 10_000,
    })

export const paths = {
  users: '/api/admin/users',
  orders: '/api/admin/orders',
  vouchers: '/api/admin/vouchers',
  ledger: '/api/admin/ledger',
  audit: '/api/admin/audit',
  security: '/api/admin/security_events',
} as const

export const usersQuery = listQuery<AdminUserView>('users', paths.users)
export const ordersQuery = listQuery<AdminOrderView>('orders', paths.orders)
export const vouchersQuery = listQuery<VoucherView>('vouchers', paths.vouchers)
export const ledgerQuery = listQuery<AdminLedgerEntry>('ledger', paths.ledger)
export const securityQuery = listQuery<SecurityEventView>('security', paths.security)
export const auditQuery = listQuery<AuditEntryView>('audit', paths.audit)

/** One thing of the server's. */
export const readQuery = <Body>(key: string[], path: string) =>
  queryOptions({
    queryKey: ['admin', ...key] as QueryKey,
    queryFn: ({ signal }) => apiJson<Body>(path, { signal }),
    staleTime: 10_000,
  })

export const dashboardQuery = (period: Period) => ({
  ...readQuery<Dashboard>(['dashboard', period], `/api/admin/dashboard?period=${period}`),
  staleTime: 60_000,
  refetchInterval: 120_000,
})
/** Under the key of the board, so that a step on it counts anew. */
export const boardCountsQuery = {
  ...readQuery<BoardCounts>(['board', 'counts'], '/api/admin/custom_edits/counts'),
  refetchInterval: 60_000,
}
export const userQuery = (id: string) => readQuery<AdminUserDetail>(['users', id], `${paths.users}/${id}`)
export const summaryQuery = (id: string) =>
  readQuery<UserSummary>(['users', id, 'summary'], `${paths.users}/${id}/summary`)
export const orderQuery = (id: string) => readQuery<AdminOrderView>(['orders', id], `${paths.orders}/${id}`)

export interface ChangeRequest {
  path: string
  method?: 'POST' | 'PATCH' | 'PUT'
  json?: unknown
  headers?: Record<string, string>
}

/** What a change shows before the server has said yes. */
interface Optimism {
  key: QueryKey
  apply: (held: never) => unknown
}

/**
 * A change by staff. What it shows at once is taken back when the server refuses, whose sentence is
 * shown then; afterwards everything of the admin area is asked for again, for one change shows in
 * many lists.
 */
export function useChange(done?: { said?: string; onDone?: () => void; quiet?: boolean }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ path, ...init }: ChangeRequest & { optimistic?: Optimism }) => {
      const { optimistic: _, ...request } = init
      return await apiFetch(path, { method: 'POST', ...request })
    },
    onMutate: async ({ optimistic }) => {
      if (!optimistic) return undefined
      await client.cancelQueries({ queryKey: optimistic.key })
      const before = client.getQueryData(optimistic.key)
      if (before !== undefined) client.setQueryData(optimistic.key, optimistic.apply(before as never))
      return { key: optimistic.key, before }
    },
    onError: (error, _, context) => {
      if (context) client.setQueryData(context.key, context.before)
      if (!done?.quiet) showSnackbar('error', errorText(error))
    },
    onSuccess: () => {
      if (done?.said) showSnackbar('success', done.said)
      done?.onDone?.()
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['admin'] }),
  })
}
