import { queryOptions } from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { queryClient } from '#client/query.ts'
import type { ConsentKind } from '../../rules.ts'
import type { Consents, ConsentView } from '../../types.ts'
import { askForConsent } from './consent-question.ts'

/** The user's consents, and the current versions of the texts. */
export const consentsQuery = queryOptions({
  queryKey: ['account', 'consents'],
  // Continues when the screen is left: offline, this answer counts.
  queryFn: () => apiJson<Consents>('/api/user/consents'),
  meta: { persist: true },
  // The consent may have changed on another device.
  staleTime: 0,
})

/** The valid consent, if there is one. */
export function givenConsent({ current, items }: Consents, kind: ConsentKind): ConsentView | undefined {
  return items.find((item) => item.kind === kind && item.version === current[kind] && item.withdrawnAt === null)
}

/**
 * True if the user consented, showing the question if the answer is unknown. Offline the last known
 * answer counts.
 */
async function isGiven(kind: ConsentKind, service?: string): Promise<boolean> {
  // A request that waits for a connection would block this one.
  await queryClient.cancelQueries({ queryKey: consentsQuery.queryKey })
  const known = await queryClient
    .fetchQuery({ ...consentsQuery, retry: false })
    .catch(() => queryClient.getQueryData(consentsQuery.queryKey))
  return known !== undefined && givenConsent(known, kind) !== undefined ? true : askForConsent(kind, service)
}

/**
 * Records the consent to a version of the text. Throws `consent.outdated` when the server requires
 * another one.
 */
export async function giveConsent(kind: ConsentKind, version: string): Promise<void> {
  await apiFetch('/api/user/consents', { json: { kind, version } })
  await queryClient.invalidateQueries({ queryKey: consentsQuery.queryKey, refetchType: 'all' })
}

export async function withdrawConsent(kind: ConsentKind): Promise<void> {
  await apiFetch(`/api/user/consents?kind=${kind}`, { method: 'DELETE' })
  await queryClient.invalidateQueries({ queryKey: consentsQuery.queryKey, refetchType: 'all' })
}

/** True if a tool may start; a tool that processes faces requests a missing consent first. */
export async function mayStart({ needsConsent }: { needsConsent?: ConsentKind }): Promise<boolean> {
  return needsConsent === undefined || (await isGiven(needsConsent))
}

/** True if pictures may leave this server; requests a missing consent. */
export const maySend = (service?: string): Promise<boolean> => isGiven('remote', service)
