import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { isAuthenticatedAtom } from '#client/session.ts'
import { toolsQuery } from './tools-query.ts'

/** True when the server has a model for tap selection and the user is signed in. */
export function useServerSelection(): boolean {
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { data } = useQuery(toolsQuery)
  return signedIn && (data?.items[0]?.others.includes('selectObject') ?? false)
}
