import { useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { formatDate, formatNumber, formatRupiah, parseNumber } from '#client/format.ts'
import { maxCredits, maxDays } from '#features/credits/rules.ts'
import { wibDay } from '#shared/time.ts'
import { ChangeSwitch } from '#ui/admin/change-switch.tsx'
import { DialogButton, showDialog } from '#ui/admin/dialogs.tsx'
import { ChoiceFilter, SearchFilter } from '#ui/admin/filters.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { ListPage } from '#ui/admin/list.tsx'
import { adminList } from '#ui/admin/queries.ts'
import { SelectField, TextField } from '#ui/field.tsx'
import { TextLink } from '#ui/lists/panel.tsx'
import { createdAtColumn } from '#ui/lists/table.tsx'
import type { VoucherView } from '../../admin/schemas.ts'
import { maxVoucher, type VoucherKind, voucherDays } from '../../rules.ts'
import { voucherLabels } from './labels.ts'

export function VouchersScreen() {
  const { i18n, t } = useLingui()
  const worthOf = ({ kind, value }: VoucherView) => {
    if (kind === 'percent_off') return `${value}%`
    return kind === 'amount_off' ? formatRupiah(value) : t`${formatNumber(value)} kredit`
  }
  const validityOf = ({ validFrom, validUntil }: VoucherView) => {
    if (validFrom && validUntil) return `${dayName(validFrom)} – ${dayName(validUntil)}`
    if (validUntil) return t`sampai ${dayName(validUntil)}`
    return validFrom ? t`mulai ${dayName(validFrom)}` : t`Selalu`
  }
  return (
    <ListPage
      label={t`Voucher`}
      actions={
        <DialogButton variant="primary" icon={Plus} dialog={<VoucherDialog />}>
          {t`Voucher baru`}
        </DialogButton>
      }
      list={adminList<VoucherView>('vouchers')}
      file="rupa-vouchers"
      defaultSort="newest"
      empty={t`Belum ada voucher. Buat satu untuk membagikan kredit atau potongan.`}
      filters={
        <>
          <SearchFilter name="code" label={t`Awal kode`} />
          <ChoiceFilter
            name="active"
            label={t`Status`}
            all={t`Semua status`}
            choices={{ true: t`Aktif`, false: t`Nonaktif` }}
          />
        </>
      }
      columns={[
        {
          name: t`Kode`,
          sorts: { ascending: 'code', descending: 'code_down' },
          cell: (voucher) => (
            <button
              type="button"
              className="link link-hover cursor-pointer font-mono font-semibold text-[0.8125rem]"
              onClick={() => showDialog(<VoucherDialog voucher={voucher} about={worthOf(voucher)} />)}
            >
              {voucher.code}
            </button>
          ),
        },
        {
          name: t`Aktif`,
          cell: ({ id, code, active: now, version }) => (
            <ChangeSwitch
              label={t`${code} aktif`}
              checked={now}
              change={(active) => ({ path: `vouchers/${id}`, method: 'PATCH', json: { active, version } })}
            />
          ),
        },
        { name: t`Jenis`, cell: ({ kind }) => i18n._(voucherLabels[kind]) },
        { name: t`Nilai`, as: 'number', cell: worthOf },
        { name: t`Berlaku`, cell: validityOf },
        {
          name: t`Dipakai`,
          as: 'number',
          cell: ({ id, uses, limitTotal }) => (
            <TextLink to={`/admin/billing?voucher=${id}`}>
              {formatNumber(uses)}
              {limitTotal !== null && ` / ${formatNumber(limitTotal)}`}
            </TextLink>
          ),
        },
        { name: t`Dibuat`, ...createdAtColumn, cell: ({ createdAt }) => formatDate(createdAt) },
      ]}
    />
  )
}

const dayOf = (moment: string | null) => (moment ? wibDay(moment) : '')

/** Noon falls on that day in every time zone of a device. */
const dayName = (moment: string) => formatDate(`${dayOf(moment)}T12:00`)

/** The value is fixed. */
function VoucherDialog({ voucher, about }: { voucher?: VoucherView; about?: string }) {
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
      successMessage={t`Voucher sudah disimpan.`}
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
        // A moment within a day stays unless another day was chosen.
        const moment = (name: 'validFrom' | 'validUntil') =>
          given[name] !== dayOf(voucher?.[name] ?? null) && { [name]: given[name] || null }
        const limits = {
          ...moment('validFrom'),
          ...moment('validUntil'),
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
