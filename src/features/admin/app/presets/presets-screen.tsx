import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { formatDate, formatNumber } from '#client/format.ts'
import type { AdminPreset, AdminPresetList } from '#features/presets/types.ts'
import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'
import { officialColours } from '#tools/passport-photo/contract/definition.ts'
import { Badge } from '#ui/admin/badge.tsx'
import { type Column, ShortTable } from '#ui/admin/data-table.tsx'
import { Loaded } from '#ui/admin/loaded.tsx'
import { AdminPage, Panel } from '#ui/admin/page.tsx'
import { readQuery } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { backgroundWords } from './words.ts'

const PresetDialog = lazy(async () => ({ default: (await import('./preset-dialog.tsx')).PresetDialog }))

const presetsQuery = readQuery<AdminPresetList>(['presets'], '/api/admin/passport_presets')

function Swatch({ background }: Pick<PassportPreset, 'background'>) {
  const { i18n } = useLingui()
  const colours =
    background === 'birth-year' ? [officialColours.red, officialColours.blue] : [officialColours[background]]
  return (
    <span className="flex items-center gap-2">
      <span className="flex overflow-hidden rounded-full ring-1 ring-base-content/15">
        {colours.map((colour) => (
          <span key={colour} className="h-3.5 w-3.5" style={{ background: colour }} />
        ))}
      </span>
      {i18n._(backgroundWords[background])}
    </span>
  )
}

/** /admin/pasfoto: what offices ask of a passport photo. */
export function PresetsScreen() {
  const { i18n, t } = useLingui()
  const query = useQuery(presetsQuery)
  const [edited, setEdited] = useState<AdminPreset | 'new' | null>(null)
  const percent = new Intl.NumberFormat(i18n.locale, { maximumFractionDigits: 0 })
  const share = ({ min, max }: { min: number; max: number }) => {
    const [low, high] = [percent.format(100 * min), percent.format(100 * max)]
    return low === high ? `${low}%` : `${low}–${high}%`
  }
  const fileSize = ({ min, max }: { min?: number; max?: number } = {}) => {
    if (min && max) return `${formatNumber(min)}–${formatNumber(max)} KB`
    if (max) return t`sampai ${formatNumber(max)} KB`
    return min ? t`dari ${formatNumber(min)} KB` : '–'
  }
  const columns: Column<AdminPreset>[] = [
    {
      id: 'name',
      name: t`Preset`,
      cell: (preset) => (
        <button type="button" className="cursor-pointer text-start" onClick={() => setEdited(preset)}>
          <span className="link link-hover font-semibold block">
            {i18n.locale === 'en' ? preset.name.en : preset.name.id}
          </span>
          <span className="font-mono text-[0.8125rem] text-muted text-xs">{preset.id}</span>
        </button>
      ),
    },
    {
      id: 'active',
      name: t`Status`,
      cell: ({ active }) => <Badge tone={active ? 'good' : 'plain'}>{active ? t`Ditawarkan` : t`Disembunyikan`}</Badge>,
    },
    { id: 'background', name: t`Latar`, cell: (preset) => <Swatch background={preset.background} /> },
    {
      id: 'size',
      name: t`Ukuran`,
      end: true,
      cell: ({ rule }) => `${formatNumber(rule.width)} × ${formatNumber(rule.height)} ${rule.unit}`,
    },
    { id: 'head', name: t`Kepala`, end: true, cell: ({ rule }) => share(rule.head) },
    { id: 'eyes', name: t`Garis mata`, end: true, cell: ({ rule }) => share(rule.eyes) },
    { id: 'file', name: t`Berkas`, end: true, cell: ({ rule }) => fileSize(rule.kilobytes) },
    { id: 'dpi', name: 'dpi', end: true, cell: ({ rule }) => formatNumber(rule.dpi) },
    {
      id: 'source',
      name: t`Per tanggal`,
      end: true,
      cell: ({ source: { name, date } }) => <span title={name}>{date.length > 4 ? formatDate(date) : date}</span>,
    },
  ]
  return (
    <AdminPage
      title={t`Preset pasfoto`}
      actions={
        <Button
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setEdited('new')}
        >{t`Preset baru`}</Button>
      }
    >
      <p className="mb-4 max-w-3xl text-muted">
        {t`Aturan kantor yang dipilih orang di alat Pasfoto. Perubahan berlaku mulai foto berikutnya; foto yang sudah jadi tetap memakai aturannya sendiri.`}
      </p>
      <Loaded query={query} height="h-96">
        {({ items }) => (
          <Panel>
            <ShortTable
              label={t`Preset pasfoto`}
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              empty={t`Belum ada preset.`}
            />
          </Panel>
        )}
      </Loaded>
      {edited && (
        <Suspense fallback={null}>
          <PresetDialog
            preset={edited === 'new' ? null : edited}
            position={10 * ((query.data?.items.length ?? 0) + 1)}
            onClose={() => setEdited(null)}
          />
        </Suspense>
      )}
    </AdminPage>
  )
}
