import { queryOptions } from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { queryClient } from '#client/query.ts'
import type { ConsentKind } from '../../rules.ts'
import type { Consents, ConsentView } from '../../types.ts'
import { askForConsent } from './consent-question.ts'

/** What the person agreed to, and which texts count now. */
export const consentsQuery = queryOptions({
  queryKey: ['account', 'consents'],
  // Goes on when somebody leaves the screen that asked: without a connection the answer counts.
  queryFn: () => apiJson<Consents>('/api/user/consents'),
  meta: { persist: true },
  // It may have been given or withdrawn on another device.
  staleTime: 0,
})

/** The consent that counts now, if there is one. */
export function givenConsent({ current, items }: Consents, kind: ConsentKind): ConsentView | undefined {
  return items.find((item) => item.kind === kind && item.version === current[kind] && item.withdrawnAt === null)
}

/**
 * Whether the person agreed, asking them if that is not known yet. Without a connection the last
 * known answer counts.
 */
async function isGiven(kind: ConsentKind, service?: string): Promise<boolean> {
  // A request that waits for a connection would keep this one waiting too.
  await queryClient.cancelQueries({ queryKey: consentsQuery.queryKey })
  const known = await queryClient
    .fetchQuery({ ...consentsQuery, retry: false })
    .catch(() => queryClient.getQueryData(consentsQuery.queryKey))
  return known !== undefined && givenConsent(known, kind) !== undefined ? true : askForConsent(kind, service)
}

/**
 * Records that the person agreed to the text of that version. Throws `consent.outdated` when the
 * server asks for another text.
 */
export async function giveConsent(kind: ConsentKind, version: string): Promise<void> {
  await apiFetch('/api/user/consents', { json: { kind, version } })
  await queryClient.invalidateQueries({ queryKey: consentsQuery.queryKey, refetchType: 'all' })
}

export async function withdrawConsent(kind: ConsentKind): Promise<void> {
  await apiFetch(`/api/user/consents?kind=${kind}`, { method: 'DELETE' })
  await queryClient.invalidateQueries({ queryKey: consentsQuery.queryKey, refetchType: 'all' })
}

/** Whether a tool may start: one that works on faces first asks whoever has not agreed to that. */
export async function mayStart({ needsConsent }: { needsConsent?: ConsentKind }): Promise<boolean> {
  return needsConsent === undefined || (await isGiven(needsConsent))
}

/** Whether pictures may leave this server, asking whoever has not agreed. */
export const maySend = (service?: string): Promise<boolean> => isGiven('remote', service)
