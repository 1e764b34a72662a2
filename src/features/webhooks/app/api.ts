import { infiniteQueryOptions } from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { apiQuery, queryClient } from '#client/query.ts'
import type { Page } from '#shared/paging.ts'
import type { WebhookEvent } from '../rules.ts'
import type { DeliveryView, WebhookChange, WebhookCreated, WebhookView } from '../schemas.ts'

const path = '/api/user/webhooks'
const pollMs = 5000

export const webhooksQuery = apiQuery<{ items: WebhookView[] }>(['webhooks', 'list'], path, { staleTime: 0 })

export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', id],
    queryFn: ({ signal, pageParam }) =>
      apiJson<Page<DeliveryView>>(
        `${path}/${id}/deliveries?limit=10${pageParam ? `&cursor=${encodeURIComponent(pageParam)}` : ''}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.pages[0]?.items.some(({ state }) => state === 'pending') ? pollMs : false,
  })

const refresh = (part: 'list' | 'deliveries') => queryClient.invalidateQueries({ queryKey: ['webhooks', part] })

/** With the answer's secret, which is shown only this once. */
export async function createWebhook(
  credential: object,
  given: { url: string; description: string; events: readonly WebhookEvent[] },
): Promise<WebhookCreated> {
  const created = await apiJson<WebhookCreated>(path, { json: { ...credential, ...given } })
  await refresh('list')
  return created
}

export async function changeWebhook(id: string, change: WebhookChange): Promise<void> {
  await apiFetch(`${path}/${id}`, { method: 'PATCH', json: change })
  await refresh('list')
}

export async function deleteWebhook(id: string): Promise<void> {
  await apiFetch(`${path}/${id}`, { method: 'DELETE' })
  await refresh('list')
}

export async function rotateSecret(id: string, credential: object): Promise<string> {
  const { secret } = await apiJson<{ secret: string }>(`${path}/${id}/rotate`, { json: credential })
  await refresh('list')
  return secret
}

export async function pingWebhook(id: string): Promise<void> {
  await apiFetch(`${path}/${id}/ping`, { method: 'POST' })
  await refresh('deliveries')
}

export async function redeliver(id: string, delivery: string): Promise<void> {
  await apiFetch(`${path}/${id}/deliveries/${delivery}/redeliver`, { method: 'POST' })
  await refresh('deliveries')
}
