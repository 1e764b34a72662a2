import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { userAtom } from '#client/session.ts'
import { type Permission, permissionsOf, refusalToActOn, type Staff, type StaffWork } from '#shared/roles.ts'

/** Only for showing and hiding; the server enforces permissions. */
export function usePermission(): (permission: Permission) => boolean {
  const user = useAtomValue(userAtom)
  return (permission) => user !== null && permissionsOf(user).includes(permission)
}

/** Returns a function that explains why staff may not act on an account; undefined if they may. */
export function useActRefusal(): (account: Staff & { id: string }, work?: StaffWork) => string | undefined {
  const { t } = useLingui()
  const user = useAtomValue(userAtom)
  return (account, work) => {
    const refusal = user ? refusalToActOn(user, account, work) : undefined
    if (refusal === 'account.own') return t`Ini akunmu sendiri. Minta staf lain melakukannya.`
    if (refusal) return t`Tugas akun ini setara atau di atas tugasmu. Minta admin penuh melakukannya.`
    return undefined
  }
}

export function ActRefusal({ children }: { children: string }) {
  return <p className="max-w-96 text-muted text-sm">{children}</p>
}
