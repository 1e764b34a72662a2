import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { formatDate, formatNumber } from '#client/format.ts'
import type { AdminPreset } from '#features/presets/types.ts'
import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'
import { officialColours } from '#tools/passport-photo/contract/definition.ts'
import { AdminPage } from '#ui/admin/page.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Loaded } from '#ui/loaded.tsx'
import { Panel } from '#ui/panel.tsx'
import { Table } from '#ui/table.tsx'
import { presetsQuery } from '../api.ts'
import { backgroundLabels } from '../labels.ts'
import { PresetDialog } from './preset-dialog.tsx'

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
      {i18n._(backgroundLabels[background])}
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
  return (
    <AdminPage
      title={t`Preset pasfoto`}
      text={t`Aturan kantor yang dipilih orang di alat Pasfoto. Perubahan berlaku mulai foto berikutnya; foto yang sudah jadi tetap memakai aturannya sendiri.`}
      actions={
        <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => setEdited('new')}>
          {t`Preset baru`}
        </Button>
      }
    >
      <Loaded query={query} height="h-96">
        {({ items }) => (
          <Panel>
            <Table
              label={t`Preset pasfoto`}
              rows={items}
              empty={t`Belum ada preset.`}
              columns={[
                {
                  name: t`Preset`,
                  cell: (preset) => (
                    <button type="button" className="cursor-pointer text-start" onClick={() => setEdited(preset)}>
                      <span className="link link-hover block font-semibold">
                        {i18n.locale === 'en' ? preset.name.en : preset.name.id}
                      </span>
                      <span className="font-mono text-muted text-xs">{preset.id}</span>
                    </button>
                  ),
                },
                {
                  name: t`Status`,
                  cell: ({ active }) => (
                    <Badge tone={active ? 'good' : 'plain'}>{active ? t`Ditawarkan` : t`Disembunyikan`}</Badge>
                  ),
                },
                { name: t`Latar`, cell: ({ background }) => <Swatch background={background} /> },
                {
                  name: t`Ukuran`,
                  as: 'number',
                  cell: ({ rule }) => `${formatNumber(rule.width)} × ${formatNumber(rule.height)} ${rule.unit}`,
                },
                { name: t`Kepala`, as: 'number', cell: ({ rule }) => share(rule.head) },
                { name: t`Garis mata`, as: 'number', cell: ({ rule }) => share(rule.eyes) },
                { name: t`Berkas`, as: 'number', cell: ({ rule }) => fileSize(rule.kilobytes) },
                { name: 'dpi', as: 'number', cell: ({ rule }) => formatNumber(rule.dpi) },
                {
                  name: t`Per tanggal`,
                  as: 'number',
                  cell: ({ source: { name, date } }) => (
                    <span title={name}>{date.length > 4 ? formatDate(date) : date}</span>
                  ),
                },
              ]}
            />
          </Panel>
        )}
      </Loaded>
      {edited && (
        <PresetDialog
          preset={edited === 'new' ? null : edited}
          position={10 * ((query.data?.items.length ?? 0) + 1)}
          onClose={() => setEdited(null)}
        />
      )}
    </AdminPage>
  )
}
