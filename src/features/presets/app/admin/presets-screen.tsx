import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { formatDate, formatNumber } from '#client/format.ts'
import { officialColours, type PassportPreset, type PassportRule } from '#tools/passport-photo/contract/definition.ts'
import { PhotoSample } from '#tools/passport-photo/ui/samples.tsx'
import { DialogButton, showDialog } from '#ui/admin/dialogs.tsx'
import { SearchFilter } from '#ui/admin/filters.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { ShortList } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { CheckboxField, SelectField, TextField } from '#ui/field.tsx'
import { Badge } from '#ui/lists/cells.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import type { AdminPreset, AdminPresetList } from '../../schemas.ts'
import { fieldsOf, isDrawable, presetOf, ruleOf } from './preset-form.ts'

const backgroundLabels: Record<PassportPreset['background'], MessageDescriptor> = {
  red: msg`Merah`,
  blue: msg`Biru`,
  white: msg`Putih`,
  orange: msg`Oranye`,
  'birth-year': msg`Tahun lahir`,
}

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

export function PresetsScreen() {
  const { i18n, t } = useLingui()
  const query = useQuery(adminQuery<AdminPresetList>('passport_presets'))
  const dialogOf = (preset: AdminPreset | null) => (
    <PresetDialog preset={preset} position={10 * ((query.data?.items.length ?? 0) + 1)} />
  )
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
        <DialogButton variant="primary" icon={Plus} dialog={dialogOf(null)}>
          {t`Preset baru`}
        </DialogButton>
      }
    >
      <Loaded query={query} height="h-96">
        {({ items }) => (
          <ShortList
            label={t`Preset pasfoto`}
            rows={items}
            textOf={({ id, name }) => `${id} ${name.id} ${name.en}`}
            filters={<SearchFilter label={t`Cari preset`} />}
            empty={t`Belum ada preset.`}
            columns={[
              {
                name: t`Preset`,
                sortBy: ['name', ({ name }) => (i18n.locale === 'en' ? name.en : name.id)],
                cell: (preset) => (
                  <button
                    type="button"
                    className="cursor-pointer text-start pointer-coarse:min-w-11"
                    onClick={() => showDialog(dialogOf(preset))}
                  >
                    <span>
                      <span className="link link-hover block font-semibold">
                        {i18n.locale === 'en' ? preset.name.en : preset.name.id}
                      </span>
                      <span className="font-mono text-muted text-xs">{preset.id}</span>
                    </span>
                  </button>
                ),
              },
              {
                name: t`Status`,
                sortBy: ['active', ({ active }) => Number(active)],
                cell: ({ active }) => (
                  <Badge tone={active ? 'good' : 'plain'}>{active ? t`Ditawarkan` : t`Disembunyikan`}</Badge>
                ),
              },
              { name: t`Latar`, cell: ({ background }) => <Swatch background={background} /> },
              {
                name: t`Ukuran`,
                as: 'number',
                sortBy: [
                  'size',
                  ({ rule }) => (rule.width * rule.height) / (rule.unit === 'px' ? (rule.dpi / 25.4) ** 2 : 1),
                ],
                cell: ({ rule }) => `${formatNumber(rule.width)} × ${formatNumber(rule.height)} ${rule.unit}`,
              },
              { name: t`Kepala`, as: 'number', cell: ({ rule }) => share(rule.head) },
              { name: t`Garis mata`, as: 'number', cell: ({ rule }) => share(rule.eyes) },
              { name: t`Berkas`, as: 'number', cell: ({ rule }) => fileSize(rule.kilobytes) },
              {
                name: 'dpi',
                as: 'number',
                sortBy: ['dpi', ({ rule }) => rule.dpi],
                cell: ({ rule }) => formatNumber(rule.dpi),
              },
              {
                name: t`Per tanggal`,
                as: 'number',
                sortBy: ['date', ({ source }) => source.date],
                cell: ({ source: { name, date } }) => (
                  <span title={name}>{date.length > 4 ? formatDate(date) : date}</span>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </AdminPage>
  )
}

const number = { inputMode: 'decimal', autoComplete: 'off' } as const

function PresetDialog({ preset, position }: { preset: AdminPreset | null; position: number }) {
  const { i18n, t } = useLingui()
  const [pixels, setPixels] = useState(preset?.rule.unit === 'px')
  const letters = (most: number) => t`1 sampai ${most} huruf`
  const percents = (least: number, most: number) => t`${least} sampai ${most} persen`
  return (
    <FormDialog
      layout="wide"
      title={preset ? preset.name[i18n.locale === 'en' ? 'en' : 'id'] : t`Preset baru`}
      successMessage={t`Preset sudah disimpan.`}
      values={fieldsOf(preset, position)}
      change={(fields) => ({
        path: `passport_presets/${encodeURIComponent(preset?.id ?? (fields.id.trim() || '-!'))}`,
        method: 'PUT',
        json: presetOf(fields, preset),
      })}
      texts={{
        id: t`1 sampai 40 huruf kecil, angka, atau -; bukan own atau this`,
        'preset.idTaken': t`ID ini sudah dipakai`,
        'name.id': letters(60),
        'name.en': letters(60),
        'note.id': letters(300),
        'note.en': letters(300),
        'rule.width': pixels ? t`60 sampai 3000 piksel, bulat` : t`10 sampai 210 mm`,
        'rule.height': pixels ? t`60 sampai 3000 piksel, bulat` : t`10 sampai 297 mm`,
        'rule.dpi': t`72 sampai 600, bulat`,
        'rule.head.min': percents(20, 90),
        'rule.head.max': t`Tidak kurang dari yang paling kecil, paling besar 90`,
        'rule.eyes.min': percents(30, 85),
        'rule.eyes.max': t`Tidak kurang dari yang paling kecil, paling besar 85`,
        'rule.kilobytes.min': t`1 sampai 2000`,
        'rule.kilobytes.max': t`10 sampai 5000, tidak kurang dari yang paling kecil`,
        'source.name': letters(120),
        'source.en': letters(120),
        'source.date': t`Tahun, atau tanggal seperti 2026-01-31`,
        position: t`0 sampai 1000, bulat`,
      }}
      past={preset?.history.map(({ at, rule, active }) => ({
        at,
        text: `${formatNumber(rule.width)} × ${formatNumber(rule.height)} ${rule.unit}${active ? '' : ` · ${t`Disembunyikan`}`}`,
      }))}
    >
      {({ field, watch }) => (
        <>
          <div className="grid items-start gap-4 sm:grid-cols-[1fr_auto]">
            <div className="grid gap-4">
              {!preset && <TextField label="ID" hint={t`Dipakai di API; tidak bisa diubah nanti.`} {...field('id')} />}
              <TextField label={t`Nama (Indonesia)`} {...field('name.id')} />
              <TextField label={t`Nama (Inggris)`} {...field('name.en')} />
            </div>
            <RuleDrawing rule={ruleOf(watch(), preset?.rule)} background={watch('background')} />
          </div>
          <div className="grid grid-cols-2 items-start gap-3 *:min-w-0 sm:grid-cols-4">
            <TextField label={t`Lebar`} {...number} {...field('rule.width')} />
            <TextField label={t`Tinggi`} {...number} {...field('rule.height')} />
            <SelectField
              label={t`Satuan`}
              choices={{ mm: 'mm', px: 'px' }}
              {...field('rule.unit', { onChange: ({ target }) => setPixels(target.value === 'px') })}
            />
            <TextField label="dpi" {...number} {...field('rule.dpi')} />
            <TextField label={t`Kepala dari (%)`} {...number} {...field('rule.head.min')} />
            <TextField label={t`Kepala sampai (%)`} {...number} {...field('rule.head.max')} />
            <TextField label={t`Mata dari bawah (%)`} {...number} {...field('rule.eyes.min')} />
            <TextField label={t`Mata sampai (%)`} {...number} {...field('rule.eyes.max')} />
            <TextField label={t`KB paling kecil`} placeholder={t`bebas`} {...number} {...field('rule.kilobytes.min')} />
            <TextField label={t`KB paling besar`} placeholder={t`bebas`} {...number} {...field('rule.kilobytes.max')} />
            <SelectField label={t`Latar`} choices={backgroundLabels} {...field('background')} />
            <TextField label={t`Urutan`} {...number} {...field('position')} />
          </div>
          <div className="grid items-start gap-3 *:min-w-0 sm:grid-cols-2">
            <TextField label={t`Aturan dalam satu kalimat`} {...field('note.id')} />
            <TextField label={t`Kalimat itu dalam bahasa Inggris`} {...field('note.en')} />
            <TextField label={t`Sumber`} {...field('source.name')} />
            <TextField label={t`Sumber dalam bahasa Inggris`} placeholder={t`sama`} {...field('source.en')} />
            <TextField label={t`Per tanggal`} placeholder="2026-01-31" {...field('source.date')} />
          </div>
          <CheckboxField label={t`Ditawarkan kepada pengguna`} {...field('active')} />
        </>
      )}
    </FormDialog>
  )
}

const height = 176

/** Includes the allowed band of the eyes. */
function RuleDrawing({ rule, background }: { rule: PassportRule } & Pick<PassportPreset, 'background'>) {
  if (!isDrawable(rule)) {
    return <div aria-hidden className="h-44 w-28 justify-self-center rounded-field bg-base-200" />
  }
  return (
    <div aria-hidden className="relative w-fit justify-self-center">
      <PhotoSample
        person={null}
        rule={rule}
        colour={officialColours[background === 'birth-year' ? 'red' : background]}
        height={height}
      />
      <div
        className="absolute inset-x-0 border-white/80 border-y border-dashed bg-white/15"
        style={{
          bottom: Math.max(0, rule.eyes.min * height),
          height: Math.max(2, (rule.eyes.max - rule.eyes.min) * height),
        }}
      />
    </div>
  )
}
