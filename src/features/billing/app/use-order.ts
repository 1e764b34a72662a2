import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { orderQuery } from './queries.ts'

/** An order, asked for while something may happen to it; the balance follows once it is paid. */
export function useOrder(id: string) {
  const client = useQueryClient()
  const query = useQuery({ ...orderQuery(id), enabled: id !== '' })
  const status = query.data?.status
  useEffect(() => {
    if (status === 2) void client.invalidateQueries({ queryKey: ['credits'] })
  }, [client, status])
  return query
}
