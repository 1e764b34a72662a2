import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { checkOrder } from './calls.ts'
import { orderQuery, rememberOrder } from './queries.ts'

/**
 * An order, asked for while something may happen to it. The server's events tell of the balance alone, so a balance that moves is news of the order,
 * and an order that is paid is news of the balance.
 */
export function useOrder(id: string) {
  const client = useQueryClient()
  const query = useQuery({ ...orderQuery(id), enabled: id !== '' })
  const { refetch } = query
  const paid = query.data?.status === 2
  useEffect(() => {
    if (paid) void client.invalidateQueries({ queryKey: ['credits'] })
  }, [client, paid])
  useEffect(() => {
    if (id === '' || paid) return
    return client.getQueryCache().subscribe((event) => {
      const [about, what] = event.query.queryKey
      const moved = event.type === 'updated' && event.action.type === 'success'
      if (moved && about === 'credits' && what === 'balance') void refetch()
    })
  }, [client, id, paid, refetch])
  return query
}

/** Asks the gateway once about an order to which somebody comes back; without an answer the order's own query goes on. */
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
