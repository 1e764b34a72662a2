import { useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { apiFetch } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { Button } from '../button.tsx'
import { SearchInput } from '../search-input.tsx'
import { showSnackbar } from '../snackbar.tsx'
import type { ListAddress } from './list-address.ts'

/** The row above a list. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className="toolbar mb-3 flex flex-wrap items-center gap-2">{children}</div>
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
      className="select w-auto max-md:flex-[1_1_40%]"
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
    <label className="flex items-center gap-2 text-muted text-xs max-md:flex-1 max-md:flex-col max-md:items-stretch max-md:gap-1">
      {label}
      <input
        type="date"
        className="input w-38 max-md:w-full"
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
      className="ml-auto max-md:flex-[1_1_40%]"
      onClick={() => void save()}
    >
      {t`Ekspor CSV`}
    </Button>
  )
}
