import { useLingui } from '@lingui/react/macro'
import { useForm } from 'react-hook-form'
import { formatNumber } from '#client/format.ts'
import type { VoucherView } from '#features/billing/admin/types.ts'
import { maxVoucher, type VoucherKind, voucherDays } from '#features/billing/rules.ts'
import { maxCredits, maxDays } from '#features/credits/rules.ts'
import { FormRefusal, useFormProblems } from '#ui/admin/form-problems.tsx'
import { useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field, TextField } from '#ui/field.tsx'
import { paths } from '../calls.ts'
import { voucherWords } from '../words.ts'
import { VoucherValue } from './voucher-value.tsx'

interface Fields {
  code: string
  kind: VoucherKind
  value: string
  days: string
  validFrom: string
  validUntil: string
  limitTotal: string
  limitPerUser: string
}

/** The day of a moment in western Indonesian time, as a date field has it. */
const dayOf = (moment: string | null) =>
  moment ? new Date(new Date(moment).getTime() + 7 * 3_600_000).toISOString().slice(0, 10) : ''
/** What is no number is sent as it is, and refused with the others. */
const numberOf = (text: string) => (text.trim() === '' ? null : Number.isNaN(Number(text)) ? text : Number(text))

/**
 * Makes a voucher, or changes when and how often one can be used; what it gives was promised and
 * stays.
 */
export function VoucherDialog({ voucher, onClose }: { voucher: VoucherView | null; onClose: () => void }) {
  const { i18n, t } = useLingui()
  const { register, handleSubmit, watch } = useForm<Fields>({
    defaultValues: {
      code: voucher?.code ?? '',
      kind: voucher?.kind ?? 'free_credits',
      value: String(voucher?.value ?? ''),
      days: String(voucher?.days ?? voucherDays),
      validFrom: dayOf(voucher?.validFrom ?? null),
      validUntil: dayOf(voucher?.validUntil ?? null),
      limitTotal: String(voucher?.limitTotal ?? ''),
      limitPerUser: String(voucher ? (voucher.limitPerUser ?? '') : 1),
    },
  })
  const change = useChange({ said: t`Voucher sudah disimpan.`, onDone: onClose, quiet: true })
  const kind = watch('kind')
  const most = kind === 'percent_off' ? 100 : kind === 'free_credits' ? maxCredits : maxVoucher
  const limit = t`1 sampai ${formatNumber(maxVoucher)}, atau kosong`
  const codeRule = t`3 sampai 32 huruf, angka, - atau _`
  const problems = useFormProblems<keyof Fields>(
    change.error,
    {
      code: codeRule,
      kind: t`Pilih salah satu`,
      value: t`1 sampai ${formatNumber(most)}`,
      days: t`1 sampai ${formatNumber(maxDays)} hari`,
      validFrom: t`Tanggal ini tidak bisa dipakai`,
      validUntil: t`Harus setelah tanggal mulai`,
      limitTotal: limit,
      limitPerUser: limit,
    },
    { 'voucher.codeTaken': t`Kode ini sudah dipakai`, 'voucher.endsBeforeStart': t`Berakhir sebelum mulai` },
  )
  const submit = handleSubmit((given) => {
    const limits = {
      validFrom: given.validFrom || null,
      validUntil: given.validUntil || null,
      limitTotal: numberOf(given.limitTotal),
      limitPerUser: numberOf(given.limitPerUser),
    }
    if (voucher)
      change.mutate({
        path: `${paths.vouchers}/${voucher.id}`,
        method: 'PATCH',
        json: { ...limits, version: voucher.version },
      })
    else {
      const promised = { code: given.code, kind: given.kind, value: numberOf(given.value), days: numberOf(given.days) }
      change.mutate({ path: paths.vouchers, json: { ...promised, ...limits } })
    }
  })
  const valueNames: Record<VoucherKind, string> = {
    free_credits: t`Kredit`,
    percent_off: t`Persen`,
    amount_off: t`Rupiah`,
  }
  return (
    <Dialog open onClose={onClose} title={voucher ? t`Voucher ${voucher.code}` : t`Voucher baru`}>
      <form noValidate className="grid gap-4" onSubmit={submit}>
        {voucher && (
          <p className="text-muted">
            {i18n._(voucherWords[voucher.kind])} · <VoucherValue voucher={voucher} />
          </p>
        )}
        {!voucher && (
          <>
            <TextField
              label={t`Kode`}
              hint={problems.of('code') ? undefined : codeRule}
              error={problems.of('code')}
              autoCapitalize="characters"
              {...register('code')}
            />
            <Field label={t`Jenis`}>
              {(ids) => (
                <select {...ids} className="select w-full" {...register('kind')}>
                  {Object.entries(voucherWords).map(([value, word]) => (
                    <option key={value} value={value}>
                      {i18n._(word)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <div className="grid grid-cols-2 items-start gap-3">
              <TextField
                label={valueNames[kind]}
                inputMode="numeric"
                error={problems.of('value')}
                {...register('value')}
              />
              {kind === 'free_credits' && (
                <TextField
                  label={t`Berlaku (hari)`}
                  inputMode="numeric"
                  error={problems.of('days')}
                  {...register('days')}
                />
              )}
            </div>
          </>
        )}
        <div className="grid grid-cols-2 items-start gap-3">
          <TextField label={t`Mulai`} type="date" error={problems.of('validFrom')} {...register('validFrom')} />
          <TextField label={t`Sampai`} type="date" error={problems.of('validUntil')} {...register('validUntil')} />
          <TextField
            label={t`Batas total`}
            hint={t`Kosong: tanpa batas`}
            inputMode="numeric"
            error={problems.of('limitTotal')}
            {...register('limitTotal')}
          />
          <TextField
            label={t`Batas per orang`}
            hint={t`Kosong: tanpa batas`}
            inputMode="numeric"
            error={problems.of('limitPerUser')}
            {...register('limitPerUser')}
          />
        </div>
        <FormRefusal>{problems.rest}</FormRefusal>
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>{t`Batal`}</Button>
          <Button type="submit" busy={change.isPending}>{t`Simpan`}</Button>
        </div>
      </form>
    </Dialog>
  )
}
