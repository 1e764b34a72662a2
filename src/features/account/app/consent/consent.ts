import { queryOptions } from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { queryClient } from '#client/query.ts'
import type { ConsentKind } from '#shared/consent.ts'
import type { Consents, ConsentView } from '../../schemas.ts'
import { showConsentDialog } from './consent-question.ts'

export const consentsQuery = queryOptions({
  queryKey: ['account', 'consents'],
  queryFn: () => apiJson<Consents>('/api/user/consents'),
  meta: { persist: true },
  // The consent may have changed on another device.
  staleTime: 0,
})

export function givenConsent({ current, items }: Consents, kind: ConsentKind): ConsentView | undefined {
  return items.find((item) => item.kind === kind && item.version === current[kind] && item.withdrawnAt === null)
}

/** Asks if the answer is unknown; offline the last known answer counts. */
async function isGiven(kind: ConsentKind, service?: string): Promise<boolean> {
  // A paused request would block this one.
  await queryClient.cancelQueries({ queryKey: consentsQuery.queryKey })
  const known = await queryClient
    .fetchQuery({ ...consentsQuery, retry: false })
    .catch(() => queryClient.getQueryData(consentsQuery.queryKey))
  return known !== undefined && givenConsent(known, kind) !== undefined ? true : showConsentDialog(kind, service)
}

/** Throws `consent.outdated` when the server requires another version of the text. */
export async function giveConsent(kind: ConsentKind, version: string): Promise<void> {
  await apiFetch('/api/user/consents', { json: { kind, version } })
  await queryClient.invalidateQueries({ queryKey: consentsQuery.queryKey, refetchType: 'all' })
}

export async function withdrawConsent(kind: ConsentKind): Promise<void> {
  await apiFetch(`/api/user/consents?kind=${kind}`, { method: 'DELETE' })
  await queryClient.invalidateQueries({ queryKey: consentsQuery.queryKey, refetchType: 'all' })
}

export async function ensureToolConsent({ needsConsent }: { needsConsent?: ConsentKind }): Promise<boolean> {
  return needsConsent === undefined || (await isGiven(needsConsent))
}

export const maySend = (service?: string): Promise<boolean> => isGiven('remote', service)
