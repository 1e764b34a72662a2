import { apiFetch, apiJson } from '#client/api.ts'
import { apiQuery, queryClient } from '#client/query.ts'
import type { LookInput, LookList, LookView } from '../schemas.ts'

export interface LooksProps {
  tool: string
  params: Record<string, unknown>
  onApply: (params: Record<string, unknown>) => void
}

export const looksQuery = apiQuery<LookList>(['looks'], '/api/user/looks', {
  meta: { persist: true },
  // Looks may have changed on another device.
  staleTime: 0,
})

const change = (items: (before: LookView[]) => LookView[]) =>
  queryClient.setQueryData(looksQuery.queryKey, (list) => ({ items: items(list?.items ?? []) }))

export async function saveLook(input: LookInput): Promise<void> {
  const kept = await apiJson<LookView>('/api/user/looks', { method: 'PUT', json: input })
  change((before) => [kept, ...before.filter(({ id }) => id !== kept.id)])
}

export async function renameLook({ id }: LookView, name: string): Promise<void> {
  await apiFetch(`/api/user/looks/${id}`, { method: 'PATCH', json: { name } })
  change((before) => before.map((look) => (look.id === id ? { ...look, name } : look)))
}

export async function deleteLook({ id }: LookView): Promise<void> {
  await apiFetch(`/api/user/looks/${id}`, { method: 'DELETE' })
  change((before) => before.filter((look) => look.id !== id))
}
