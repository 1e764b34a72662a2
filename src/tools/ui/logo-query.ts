import { queryOptions, useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { apiFetch, apiJson } from '#client/api.ts'
import { queryClient } from '#client/query.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { useObjectUrl } from './object-url.ts'
import type { PanelProps } from './page.ts'

interface KeptLogo {
  /** A PNG as a data URL. */
  picture: string | null
}

const path = '/api/user/logo'

const logoQuery = queryOptions({
  queryKey: ['logo'],
  queryFn: ({ signal }) => apiJson<KeptLogo>(path, { signal }),
  meta: { persist: true },
})

/**
 * The logo on the person's account, which is there without the network too; null without one,
 * undefined while that is not known.
 */
export function useKeptLogo(): string | null | undefined {
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { data } = useQuery({ ...logoQuery, enabled: signedIn })
  return signedIn ? data?.picture : null
}

/** The address of the logo's picture; null where none is at hand. */
export function useLogoUrl(files: PanelProps<unknown>['files']): string | null {
  const own = useObjectUrl(files.logo?.[0])
  const kept = useKeptLogo() ?? null
  return own ?? kept
}

/** Puts a logo on the account, or takes it away. */
export async function keepLogo(picture: string | null): Promise<void> {
  queryClient.setQueryData(logoQuery.queryKey, { picture })
  await (picture === null
    ? apiFetch(path, { method: 'DELETE' })
    : apiFetch(path, { method: 'PUT', json: { picture } satisfies KeptLogo }))
}
