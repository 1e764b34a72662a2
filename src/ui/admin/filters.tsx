import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Download, X } from 'lucide-react'
import { apiFetch } from '#client/api.ts'
import { saveBlob } from '#client/save-blob.ts'
import { type DayPreset, presetDays } from '#client/wib.ts'
import { Button } from '../button.tsx'
import { type Choices, Options } from '../field.tsx'
import { useListParams } from '../lists/list-params.ts'
import { SearchInput } from '../lists/search-input.tsx'
import { useAction } from '../use-action.ts'

export function SearchFilter({ name = 'search', label }: { name?: string; label: string }) {
  const { params, change } = useListParams()
  return <SearchInput value={params[name] ?? ''} onSearch={(typed) => change({ [name]: typed })} label={label} />
}

export function ChoiceFilter({
  name,
  label,
  all,
  choices,
}: {
  name: string
  label: string
  all: string
  choices: Choices
}) {
  const { params, change } = useListParams()
  return (
    <select
      className="choice-filter select w-auto border-line pe-8"
      aria-label={label}
      value={params[name] ?? ''}
      onChange={(event) => change({ [name]: event.target.value })}
    >
      <option value="">{all}</option>
      <Options choices={choices} />
    </select>
  )
}

/** Pressing it removes a filter that a link set. */
export function ChosenFilter({ name, text }: { name: string; text: string }) {
  const { t } = useLingui()
  const { change } = useListParams()
  return (
    <button
      type="button"
      className="btn btn-outline rounded-full border-line font-normal"
      aria-label={t`Hanya ${text}, tampilkan semua`}
      onClick={() => change({ [name]: undefined })}
    >
      {text} <X aria-hidden className="size-3.5" />
    </button>
  )
}

function Day({ name, label }: { name: 'from' | 'to'; label: string }) {
  const { params, change } = useListParams()
  return (
    <label className="flex items-center gap-2 text-muted text-xs max-md:flex-1 max-md:flex-col max-md:items-stretch max-md:gap-1">
      {label}
      <input
        type="date"
        className="input w-38 border-line max-md:w-full max-md:min-w-0 max-md:px-2"
        value={params[name]?.slice(0, 10) ?? ''}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </label>
  )
}

const presetLabels: Record<DayPreset, MessageDescriptor> = {
  today: msg`Hari ini`,
  yesterday: msg`Kemarin`,
  days_7: msg`7 hari terakhir`,
  days_30: msg`30 hari terakhir`,
  month: msg`Bulan ini`,
  last_month: msg`Bulan lalu`,
  year: msg`Tahun ini`,
}

export function DaysFilter() {
  const { t } = useLingui()
  const { params, change } = useListParams()
  const { from = '', to = '' } = params
  const presets = Object.entries(presetDays())
  const chosen = presets.find(([, days]) => days.from === from && days.to === to)?.[0]
  return (
    <div className="flex flex-wrap gap-2 max-md:w-full">
      <select
        className="select w-auto border-line max-md:w-full"
        aria-label={t`Rentang tanggal`}
        value={chosen ?? (from || to ? 'other' : '')}
        onChange={(event) =>
          change({ from: undefined, to: undefined, ...Object.fromEntries(presets)[event.target.value] })
        }
      >
        <option value="">{t`Semua tanggal`}</option>
        {!chosen && (from || to) && <option value="other">{t`Tanggal lain`}</option>}
        <Options choices={presetLabels} />
      </select>
      <Day name="from" label={t`Dari tanggal`} />
      <Day name="to" label={t`Sampai tanggal`} />
    </div>
  )
}

/** Downloads all rows of the filtered list, not just its page. */
export function CsvButton({
  path,
  params,
  name,
  label,
}: {
  path: string
  params: Record<string, string>
  name: string
  /** For other rows than those of the list. */
  label?: string
}) {
  const { t } = useLingui()
  const save = useAction(async () => {
    const query = new URLSearchParams(params)
    query.delete('cursor')
    const response = await apiFetch(`/api/admin/${path}?${query}`, { headers: { accept: 'text/csv' } })
    await saveBlob(await response.blob(), `${name}-${new Date().toISOString().slice(0, 10)}.csv`)
  })
  return (
    <Button
      variant="outline"
      busy={save.isPending}
      icon={Download}
      className={label ? '' : 'ml-auto max-md:flex-[1_1_40%]'}
      onClick={() => save.mutate()}
    >
      {label ?? t`Ekspor CSV`}
    </Button>
  )
}
