import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useListParams } from '#ui/lists/list-params.ts'
import { userQuery } from './api.ts'

/**
 * The one account that a list is narrowed to, by a link from elsewhere; pressed, it shows all
 * again.
 */
export function ChosenUser({ name }: { name: string }) {
  const { t } = useLingui()
  const { params, change } = useListParams()
  const id = params[name]
  const { data } = useQuery({ ...userQuery(id ?? ''), enabled: id !== undefined })
  if (!id) return null
  const who = data?.name ?? id.slice(-8)
  return (
    <button
      type="button"
      className="btn btn-outline rounded-full border-line font-normal"
      aria-label={t`Hanya ${who}, tampilkan semua`}
      onClick={() => change({ [name]: undefined })}
    >
      {who} <X aria-hidden className="size-3.5" />
    </button>
  )
}
