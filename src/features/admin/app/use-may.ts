import { useAtomValue } from 'jotai'
import { userAtom } from '#client/session.ts'
import { type Permission, permissionsOf } from '#contract/roles.ts'

/** Permissions of the signed-in staff member, for showing and hiding; the server decides. */
export function useMay(): (permission: Permission) => boolean {
  const user = useAtomValue(userAtom)
  return (permission) => user !== null && permissionsOf(user).includes(permission)
}
