import { useAtomValue } from 'jotai'
import { userAtom } from '#client/session.ts'
import { type Permission, permissionsOf } from '#shared/roles.ts'

/** Only for showing and hiding; the server enforces permissions. */
export function usePermission(): (permission: Permission) => boolean {
  const user = useAtomValue(userAtom)
  return (permission) => user !== null && permissionsOf(user).includes(permission)
}
