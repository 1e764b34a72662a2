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
 * Asks the gateway once about an order to which somebody comes back; without an answer the order's
 * own query goes on.
 */
export function useCheckedOrder(id: string): void {
  const client = useQueryClient()
  useEffect(() => {
    if (id === '') return
    checkOrder(id).then(
      (order) => rememberOrder(client, order),
      () => {},
    )
  }, [client, id])
}

/** The same each time that somebody comes back to this page from the bank's app or another tab. */
export function useCheckOnReturn(id: string, wanted: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!wanted) return
    const check = () => {
      if (document.visibilityState !== 'visible') return
      checkOrder(id).then(
        (order) => rememberOrder(client, order),
        () => {},
      )
    }
    document.addEventListener('visibilitychange', check)
    return () => document.removeEventListener('visibilitychange', check)
  }, [client, id, wanted])
}
