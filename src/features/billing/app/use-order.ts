import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refresh } from '#client/refresh.ts'
import { orderStatus } from '../rules.ts'
import { checkOrder } from './api.ts'
import { orderQuery, rememberOrder } from './queries.ts'

/**
 * An order, asked for while something may happen to it; the server's events bring its changes
 * sooner.
 */
export function useOrder(id: string) {
  const client = useQueryClient()
  const query = useQuery({ ...orderQuery(id), enabled: id !== '' })
  const paid = query.data?.status === orderStatus.paid
  useEffect(() => {
    if (paid) void refresh(client, ['credits'])
  }, [client, paid])
  return query
}

/**
 * Asks the gateway about an order to which somebody comes back: once, `at-once`, or each time that
 * this page is seen again after the bank's app or another tab, `on-return`. Without an answer the
 * order's own query goes on.
 */
export function useGatewayCheck(id: string, when: 'at-once' | 'on-return' | 'never'): void {
  const client = useQueryClient()
  useEffect(() => {
    if (id === '' || when === 'never') return
    const check = () => {
      checkOrder(id).then(
        (order) => rememberOrder(client, order),
        () => {},
      )
    }
    if (when === 'at-once') {
      check()
      return
    }
    const onSeen = () => document.visibilityState === 'visible' && check()
    document.addEventListener('visibilitychange', onSeen)
    return () => document.removeEventListener('visibilitychange', onSeen)
  }, [client, id, when])
}
