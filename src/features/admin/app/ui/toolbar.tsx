import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Download, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { apiFetch } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { Button } from '#ui/button.tsx'
import { SearchInput } from '#ui/search-input.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { userQuery } from '../calls.ts'
import type { ListAddress } from './address.ts'

/** The row above a list. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className="adm-tools">{children}</div>
}

/** Searches the list; what was typed is kept in the address. */
export function SearchField({
  address,
  name = 'search',
  label,
}: {
  address: ListAddress
  name?: string
  label: string
}) {
  return (
    <SearchInput
      value={address.params[name] ?? ''}
      onSearch={(typed) => address.change({ [name]: typed })}
      label={label}
    />
  )
}

/** Narrows a list to one of some values. */
export function Filter<Value extends string>({
  address,
  name,
  label,
  all,
  choices,
}: {
  address: ListAddress
  name: string
  label: string
  /** What the list shows without it. */
  all: string
  choices: readonly (readonly [Value, string])[]
}) {
  return (
    <select
      className="select"
      aria-label={label}
      value={address.params[name] ?? ''}
      onChange={(event) => address.change({ [name]: event.target.value })}
    >
      <option value="">{all}</option>
      {choices.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}

function Day({ address, name, label }: { address: ListAddress; name: 'from' | 'to'; label: string }) {
  return (
    <label className="adm-date text-muted text-xs">
      {label}
      <input
        type="date"
        className="input adm-day"
        value={address.params[name]?.slice(0, 10) ?? ''}
        onChange={(event) => address.change({ [name]: event.target.value })}
      />
    </label>
  )
}

/** The days from and up to which the list goes. */
export function DaysFilter({ address }: { address: ListAddress }) {
  const { t } = useLingui()
  return (
    <div className="flex gap-2 max-md:w-full">
      <Day address={address} name="from" label={t`Dari tanggal`} />
      <Day address={address} name="to" label={t`Sampai tanggal`} />
    </div>
  )
}

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
      className="adm-chip cursor-pointer"
      aria-label={t`Hanya ${who}, tampilkan semua`}
      onClick={() => address.change({ [name]: undefined })}
    >
      {who} <X aria-hidden className="size-3.5" />
    </button>
  )
}

/** Saves all that the list shows, not its page alone, as a file for spreadsheets. */
export function CsvButton({ path, params, name }: { path: string; params: Record<string, string>; name: string }) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const query = new URLSearchParams(params)
      query.delete('cursor')
      const response = await apiFetch(`${path}?${query}`, { headers: { accept: 'text/csv' } })
      const link = document.createElement('a')
      link.href = URL.createObjectURL(await response.blob())
      link.download = `${name}-${new Date().toISOString().slice(0, 10)}.csv`
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
    } catch (error) {
      showSnackbar('error', errorText(error))
    }
    setBusy(false)
  }
  return (
    <Button
      variant="outline"
      busy={busy}
      icon={<Download aria-hidden className="size-4" />}
      className="adm-csv ml-auto"
      onClick={() => void save()}
    >
      {t`Ekspor CSV`}
    </Button>
  )
}
