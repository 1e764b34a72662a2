import { useAtomValue } from 'jotai'
import { userAtom } from '#client/session.ts'
import { type Permission, permissionsOf } from '#contract/roles.ts'

/** What of the admin area is shown to whoever is signed in; the server decides. */
export function useMay(): (permission: Permission) => boolean {
  const user = useAtomValue(userAtom)
  return (permission) => user !== null && permissionsOf(user).includes(permission)
}
