import { useLingui } from '@lingui/react/macro'
import { useForm } from 'react-hook-form'
import { ApiError } from '#app/api.ts'
import { errorText } from '#app/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field, TextField } from '#app/ui/field.tsx'
import type { VoucherKind, VoucherView } from '#features/billing/contract.ts'
import { paths, useChange } from '../calls.ts'
import { voucherWords } from '../words.ts'

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
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text))

/** Makes a voucher, or changes when and how often one can be used; what it gives was promised and stays. */
export function VoucherDialog({ voucher, onClose }: { voucher: VoucherView | null; onClose: () => void }) {
  const { i18n, t } = useLingui()
  const { register, handleSubmit, watch } = useForm<Fields>({
    defaultValues: {
      code: voucher?.code ?? '',
      kind: voucher?.kind ?? 'free_credits',
      value: String(voucher?.value ?? ''),
      days: String(voucher?.days ?? 90),
      validFrom: dayOf(voucher?.validFrom ?? null),
      validUntil: dayOf(voucher?.validUntil ?? null),
      limitTotal: String(voucher?.limitTotal ?? ''),
      limitPerUser: String(voucher ? (voucher.limitPerUser ?? '') : 1),
    },
  })
  const change = useChange({ said: t`Voucher sudah disimpan.`, onDone: onClose, quiet: true })
  const kind = watch('kind')
  const details = change.error instanceof ApiError ? change.error.details : {}
  const problems: Record<string, string> = {
    'form.required': t`Bagian ini wajib diisi`,
    'voucher.codeTaken': t`Kode ini sudah dipakai`,
    'voucher.endsBeforeStart': t`Berakhir sebelum mulai`,
  }
  const problemOf = (field: keyof Fields) =>
    details[field] ? (problems[details[field]] ?? t`Nilai ini tidak bisa dipakai`) : undefined
  const submit = handleSubmit((given) => {
    const limits = {
      validFrom: given.validFrom || null,
      validUntil: given.validUntil || null,
      limitTotal: numberOf(given.limitTotal),
      limitPerUser: numberOf(given.limitPerUser),
    }
    if (voucher) change.mutate({ path: `${paths.vouchers}/${voucher.id}`, method: 'PATCH', json: limits })
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
        {!voucher && (
          <>
            <TextField
              label={t`Kode`}
              hint={t`3 sampai 32 huruf, angka, - atau _`}
              error={problemOf('code')}
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
                error={problemOf('value')}
                {...register('value')}
              />
              {kind === 'free_credits' && (
                <TextField
                  label={t`Berlaku (hari)`}
                  inputMode="numeric"
                  error={problemOf('days')}
                  {...register('days')}
                />
              )}
            </div>
          </>
        )}
        <div className="grid grid-cols-2 items-start gap-3">
          <TextField label={t`Mulai`} type="date" error={problemOf('validFrom')} {...register('validFrom')} />
          <TextField label={t`Sampai`} type="date" error={problemOf('validUntil')} {...register('validUntil')} />
          <TextField
            label={t`Batas total`}
            hint={t`Kosong: tanpa batas`}
            inputMode="numeric"
            error={problemOf('limitTotal')}
            {...register('limitTotal')}
          />
          <TextField
            label={t`Batas per orang`}
            inputMode="numeric"
            error={problemOf('limitPerUser')}
            {...register('limitPerUser')}
          />
        </div>
        {change.error && (
          <p role="alert" className="font-medium text-error text-sm">
            {errorText(change.error)}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>{t`Batal`}</Button>
          <Button type="submit" busy={change.isPending}>{t`Simpan`}</Button>
        </div>
      </form>
    </Dialog>
  )
}
