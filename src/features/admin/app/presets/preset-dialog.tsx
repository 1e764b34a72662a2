import { useLingui } from '@lingui/react/macro'
import { useForm } from 'react-hook-form'
import { formatDateTime, formatNumber } from '#client/format.ts'
import type { AdminPreset } from '#features/presets/types.ts'
import { FormRefusal, useFormProblems } from '#ui/admin/form-problems.tsx'
import { useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { CheckboxField, Field, TextField } from '#ui/field.tsx'
import { fieldsOf, type PresetFields, presetOf, ruleOf } from './preset-form.ts'
import { RuleDrawing } from './rule-drawing.tsx'
import { backgroundWords } from './words.ts'

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
  const { register, handleSubmit, watch } = useForm<PresetFields>({ defaultValues: fieldsOf(preset, position) })
  const change = useChange({ said: t`Preset sudah disimpan.`, onDone: onClose, quiet: true })
  const fields = watch()
  const percentRange = (least: number, most: number) => t`${least} sampai ${most} persen`
  const pixels = fields.unit === 'px'
  const text = (most: number) => t`1 sampai ${most} huruf`
  const problems = useFormProblems(
    change.error,
    {
      id: t`1 sampai 40 huruf kecil, angka, atau -; bukan own atau this`,
      'name.id': text(60),
      'name.en': text(60),
      'note.id': text(300),
      'note.en': text(300),
      'rule.width': pixels ? t`60 sampai 3000 piksel, bulat` : t`10 sampai 210 mm`,
      'rule.height': pixels ? t`60 sampai 3000 piksel, bulat` : t`10 sampai 297 mm`,
      'rule.dpi': t`72 sampai 600, bulat`,
      'rule.head.min': percentRange(20, 90),
      'rule.head.max': t`Tidak kurang dari yang paling kecil, paling besar 90`,
      'rule.eyes.min': percentRange(30, 85),
      'rule.eyes.max': t`Tidak kurang dari yang paling kecil, paling besar 85`,
      'rule.kilobytes.min': t`1 sampai 2000`,
      'rule.kilobytes.max': t`10 sampai 5000, tidak kurang dari yang paling kecil`,
      'source.name': text(120),
      'source.date': t`Tahun, atau tanggal seperti 2026-01-31`,
      position: t`0 sampai 1000, bulat`,
    },
    { 'preset.idTaken': t`ID ini sudah dipakai` },
  )
  const submit = handleSubmit((given) =>
    change.mutate({
      path: `/api/admin/passport_presets/${encodeURIComponent(preset?.id ?? (given.id.trim() || '-!'))}`,
      method: 'PUT',
      json: presetOf(given, preset),
    }),
  )
  const number = { inputMode: 'decimal', autoComplete: 'off' } as const
  return (
    <Dialog open onClose={onClose} title={preset ? preset.name[i18n.locale === 'en' ? 'en' : 'id'] : t`Preset baru`}>
      <form noValidate data-wide className="grid gap-4" onSubmit={submit}>
        <div className="grid items-start gap-4 sm:grid-cols-[1fr_auto]">
          <div className="grid gap-4">
            {!preset && (
              <TextField
                label="ID"
                hint={t`Dipakai di API; tidak bisa diubah nanti.`}
                error={problems.of('id')}
                {...register('id')}
              />
            )}
            <TextField label={t`Nama (Indonesia)`} error={problems.of('name.id')} {...register('nameId')} />
            <TextField label={t`Nama (Inggris)`} error={problems.of('name.en')} {...register('nameEn')} />
          </div>
          <RuleDrawing rule={ruleOf(fields, preset?.rule)} background={fields.background} />
        </div>
        <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-4">
          <TextField label={t`Lebar`} error={problems.of('rule.width')} {...number} {...register('width')} />
          <TextField label={t`Tinggi`} error={problems.of('rule.height')} {...number} {...register('height')} />
          <Field label={t`Satuan`}>
            {(ids) => (
              <select {...ids} className="select w-full" {...register('unit')}>
                <option value="mm">mm</option>
                <option value="px">px</option>
              </select>
            )}
          </Field>
          <TextField label="dpi" error={problems.of('rule.dpi')} {...number} {...register('dpi')} />
          <TextField
            label={t`Kepala dari (%)`}
            error={problems.of('rule.head.min')}
            {...number}
            {...register('headMin')}
          />
          <TextField
            label={t`Kepala sampai (%)`}
            error={problems.of('rule.head.max')}
            {...number}
            {...register('headMax')}
          />
          <TextField
            label={t`Mata dari bawah (%)`}
            error={problems.of('rule.eyes.min')}
            {...number}
            {...register('eyesMin')}
          />
          <TextField
            label={t`Mata sampai (%)`}
            error={problems.of('rule.eyes.max')}
            {...number}
            {...register('eyesMax')}
          />
          <TextField
            label={t`KB paling kecil`}
            placeholder={t`bebas`}
            error={problems.of('rule.kilobytes.min')}
            {...number}
            {...register('kbMin')}
          />
          <TextField
            label={t`KB paling besar`}
            placeholder={t`bebas`}
            error={problems.of('rule.kilobytes.max')}
            {...number}
            {...register('kbMax')}
          />
          <Field label={t`Latar`}>
            {(ids) => (
              <select {...ids} className="select w-full" {...register('background')}>
                {Object.entries(backgroundWords).map(([value, word]) => (
                  <option key={value} value={value}>
                    {i18n._(word)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TextField label={t`Urutan`} error={problems.of('position')} {...number} {...register('position')} />
        </div>
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <TextField label={t`Aturan dalam satu kalimat`} error={problems.of('note.id')} {...register('noteId')} />
          <TextField
            label={t`Kalimat itu dalam bahasa Inggris`}
            error={problems.of('note.en')}
            {...register('noteEn')}
          />
        </div>
        <div className="grid grid-cols-2 items-start gap-3">
          <TextField label={t`Sumber`} error={problems.of('source.name')} {...register('sourceName')} />
          <TextField
            label={t`Per tanggal`}
            placeholder="2026-01-31"
            error={problems.of('source.date')}
            {...register('sourceDate')}
          />
        </div>
        <CheckboxField label={t`Ditawarkan kepada pengguna`} {...register('active')} />
        <FormRefusal>{problems.rest}</FormRefusal>
        <div className="sticky -bottom-6 -mx-6 flex justify-end gap-2 border-line border-t bg-base-100 px-6 py-3">
          <Button variant="ghost" onClick={onClose}>{t`Batal`}</Button>
          <Button type="submit" busy={change.isPending}>{t`Simpan`}</Button>
        </div>
      </form>
      {preset && preset.history.length > 0 && (
        <>
          <h3 className="mt-5 mb-2 font-bold">{t`Riwayat`}</h3>
          <ol className="max-h-48 overflow-y-auto text-sm">
            {preset.history.map(({ at, rule, active }) => (
              <li key={at} className="flex justify-between gap-3 py-1">
                <span className="text-muted">{formatDateTime(at)}</span>
                <span className="tabular-nums">
                  {`${formatNumber(rule.width)} × ${formatNumber(rule.height)} ${rule.unit}`}
                  {!active && ` · ${t`Disembunyikan`}`}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Dialog>
  )
}
