import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatNumber } from '#client/format.ts'
import type { AdminPreset } from '#features/presets/types.ts'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { CheckboxField, SelectField, TextField } from '#ui/field.tsx'
import { backgroundLabels } from '../labels.ts'
import { fieldsOf, presetOf, ruleOf } from './preset-form.ts'
import { RuleDrawing } from './rule-drawing.tsx'

const number = { inputMode: 'decimal', autoComplete: 'off' } as const

/** Makes a preset, or changes one from the next photo on. */
export function PresetDialog({
  preset,
  position,
  onClose,
}: {
  preset: AdminPreset | null
  /** Where a new one comes. */
  position: number
  onClose: () => void
}) {
  const { i18n, t } = useLingui()
  const [pixels, setPixels] = useState(preset?.rule.unit === 'px')
  const letters = (most: number) => t`1 sampai ${most} huruf`
  const percents = (least: number, most: number) => t`${least} sampai ${most} persen`
  return (
    <FormDialog
      place="wide"
      title={preset ? preset.name[i18n.locale === 'en' ? 'en' : 'id'] : t`Preset baru`}
      said={t`Preset sudah disimpan.`}
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
        'source.date': t`Tahun, atau tanggal seperti 2026-01-31`,
        position: t`0 sampai 1000, bulat`,
      }}
      past={preset?.history.map(({ at, rule, active }) => ({
        at,
        text: `${formatNumber(rule.width)} × ${formatNumber(rule.height)} ${rule.unit}${active ? '' : ` · ${t`Disembunyikan`}`}`,
      }))}
      onClose={onClose}
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
            <TextField label={t`Per tanggal`} placeholder="2026-01-31" {...field('source.date')} />
          </div>
          <CheckboxField label={t`Ditawarkan kepada pengguna`} {...field('active')} />
        </>
      )}
    </FormDialog>
  )
}
