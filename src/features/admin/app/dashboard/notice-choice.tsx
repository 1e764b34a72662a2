import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { adminQuery, useChange } from '#ui/admin/queries.ts'
import { SelectField } from '#ui/field.tsx'
import type { NoticeMode } from '../../rules.ts'

export function NoticeChoice() {
  const { t } = useLingui()
  const { data } = useQuery(adminQuery<{ mode: NoticeMode }>('notices'))
  const { mutate, isPending } = useChange({ successMessage: t`Pilihan email tersimpan.` })
  if (!data) return null
  const choices: Record<NoticeMode, string> = {
    at_once: t`Langsung, setiap ada yang baru`,
    daily: t`Sekali sehari, pukul 07.00 WIB`,
    never: t`Tidak usah`,
  }
  return (
    <div className="mt-3 max-w-sm">
      <SelectField
        label={t`Email tentang yang menunggu`}
        choices={choices}
        value={data.mode}
        disabled={isPending}
        onChange={({ target: { value } }) => mutate({ path: 'notices', method: 'PUT', json: { mode: value } })}
      />
    </div>
  )
}
