import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { ListAddress } from '#ui/admin/list-address.ts'
import { userQuery } from './calls.ts'

/**
 * The one account that a list is narrowed to, by a link from elsewhere; pressed, it shows all
 * again.
 */
export function ChosenUser({ address, name }: { address: ListAddress; name: string }) {
  const { t } = useLingui()
  const id = address.params[name]
  const { data } = useQuery({ ...userQuery(id ?? ''), enabled: id !== undefined })
  if (!id) return null
  const who = data?.name ?? id.slice(-8)
  return (
    <button
      type="button"
      className="btn btn-outline rounded-full border-line font-normal"
      aria-label={t`Hanya ${who}, tampilkan semua`}
      onClick={() => address.change({ [name]: undefined })}
    >
      {who} <X aria-hidden className="size-3.5" />
    </button>
  )
}
