import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refresh } from './query.ts'

test('a further page of a list arrives although the list is refetched meanwhile, and is then refetched too', async () => {
  const asked: number[] = []
  let deliver = () => {}
  const client = new QueryClient()
  const list = new InfiniteQueryObserver(client, {
    queryKey: ['orders', 'list'],
    queryFn: async ({ pageParam, signal }) => {
      asked.push(pageParam)
      if (pageParam === 2 && asked.length === 2) {
        await new Promise<void>((resolve) => {
          deliver = resolve
        })
      }
      signal.throwIfAborted()
      return pageParam
    },
    initialPageParam: 1,
    getNextPageParam: (page) => (page < 2 ? page + 1 : null),
  })
  const unsubscribe = list.subscribe(() => {})
  await expect.poll(() => list.getCurrentResult().data?.pages).toEqual([1])
  const next = list.fetchNextPage()
  const refreshed = refresh(client, ['orders'])
  deliver()
  expect((await next).data?.pages).toEqual([1, 2])
  await refreshed
  expect(asked).toEqual([1, 2, 1, 2])
  unsubscribe()
})
