import { useAtomValue } from 'jotai'
import { userAtom } from '#client/session.ts'
import { type Permission, permissionsOf } from '#contract/roles.ts'

/**
 * Permissions of the signed-in staff member, only for showing and hiding; the server enforces them.
 */
export function useMay(): (permission: Permission) => boolean {
  const user = useAtomValue(userAtom)
  return (permission) => user !== null && permissionsOf(user).includes(permission)
}
