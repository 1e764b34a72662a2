import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatNumber } from '#client/format.ts'
import { parseNumber } from '#client/parse-number.ts'
import type { VoucherView } from '#features/billing/admin/types.ts'
import { maxVoucher, type VoucherKind, voucherDays } from '#features/billing/rules.ts'
import { maxCredits, maxDays } from '#features/credits/rules.ts'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import { voucherLabels } from '../labels.ts'

/** The day of a moment in western Indonesian time, as a date field has it. */
const dayOf = (moment: string | null) =>
  moment ? new Date(new Date(moment).getTime() + 7 * 3_600_000).toISOString().slice(0, 10) : ''

/** Makes a voucher, or changes when and how often one can be used; what it gives was promised. */
export function VoucherDialog({
  voucher,
  about,
  onClose,
}: {
  voucher?: VoucherView
  /** What it gives. */
  about?: string
  onClose: () => void
}) {
  const { i18n, t } = useLingui()
  const [kind, setKind] = useState<VoucherKind>('free_credits')
  const units: Record<VoucherKind, string> = { free_credits: t`Kredit`, percent_off: t`Persen`, amount_off: t`Rupiah` }
  const most: Record<VoucherKind, number> = { free_credits: maxCredits, percent_off: 100, amount_off: maxVoucher }
  const limit = t`1 sampai ${formatNumber(maxVoucher)}, atau kosong`
  const codeRule = t`3 sampai 32 huruf, angka, - atau _`
  return (
    <FormDialog
      title={voucher ? t`Voucher ${voucher.code}` : t`Voucher baru`}
      text={voucher && `${i18n._(voucherLabels[voucher.kind])} · ${about}`}
      said={t`Voucher sudah disimpan.`}
      values={{
        code: '',
        kind,
        value: '',
        days: String(voucherDays),
        validFrom: dayOf(voucher?.validFrom ?? null),
        validUntil: dayOf(voucher?.validUntil ?? null),
        limitTotal: String(voucher?.limitTotal ?? ''),
        limitPerUser: String(voucher ? (voucher.limitPerUser ?? '') : 1),
      }}
      change={({ code, value, days, ...given }) => {
        const limits = {
          validFrom: given.validFrom || null,
          validUntil: given.validUntil || null,
          limitTotal: parseNumber(given.limitTotal),
          limitPerUser: parseNumber(given.limitPerUser),
        }
        if (voucher) {
          const { id, version } = voucher
          return { path: `vouchers/${id}`, method: 'PATCH', json: { ...limits, version } }
        }
        return {
          path: 'vouchers',
          json: { code, kind, value: parseNumber(value), days: parseNumber(days), ...limits },
        }
      }}
      texts={{
        code: codeRule,
        value: t`1 sampai ${formatNumber(most[kind])}`,
        days: t`1 sampai ${formatNumber(maxDays)} hari`,
        validFrom: t`Tanggal ini tidak bisa dipakai`,
        validUntil: t`Harus setelah tanggal mulai`,
        limitTotal: limit,
        limitPerUser: limit,
        'voucher.codeTaken': t`Kode ini sudah dipakai`,
        'voucher.endsBeforeStart': t`Berakhir sebelum mulai`,
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          {!voucher && (
            <>
              <TextField label={t`Kode`} hint={codeRule} autoCapitalize="characters" {...field('code')} />
              <SelectField
                label={t`Jenis`}
                choices={voucherLabels}
                {...field('kind', { onChange: ({ target }) => setKind(target.value) })}
              />
              <div className="grid grid-cols-2 items-start gap-3">
                <TextField label={units[kind]} inputMode="numeric" {...field('value')} />
                {kind === 'free_credits' && (
                  <TextField label={t`Berlaku (hari)`} inputMode="numeric" {...field('days')} />
                )}
              </div>
            </>
          )}
          <div className="grid grid-cols-2 items-start gap-3 *:min-w-0">
            <TextField label={t`Mulai`} type="date" {...field('validFrom')} />
            <TextField label={t`Sampai`} type="date" {...field('validUntil')} />
            <TextField
              label={t`Batas total`}
              hint={t`Kosong: tanpa batas`}
              inputMode="numeric"
              {...field('limitTotal')}
            />
            <TextField
              label={t`Batas per orang`}
              hint={t`Kosong: tanpa batas`}
              inputMode="numeric"
              {...field('limitPerUser')}
            />
          </div>
        </>
      )}
    </FormDialog>
  )
}
