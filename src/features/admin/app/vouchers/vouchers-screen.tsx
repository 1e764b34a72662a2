import { useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { formatDate, formatNumber, formatRupiah } from '#client/format.ts'
import type { VoucherView } from '#features/billing/admin/types.ts'
import { ChangeSwitch } from '#ui/admin/change-switch.tsx'
import { ChoiceFilter, SearchFilter } from '#ui/admin/filters.tsx'
import { ListPage } from '#ui/admin/list.tsx'
import { Button } from '#ui/button.tsx'
import { TextLink } from '#ui/text-link.tsx'
import { voucherList } from '../api.ts'
import { voucherLabels } from '../labels.ts'
import { VoucherDialog } from './voucher-dialog.tsx'

/** /admin/voucher: vouchers with their uses. */
export function VouchersScreen() {
  const { i18n, t } = useLingui()
  const [edited, setEdited] = useState<VoucherView | 'new' | null>(null)
  const worthOf = ({ kind, value }: VoucherView) => {
    if (kind === 'percent_off') return `${value}%`
    return kind === 'amount_off' ? formatRupiah(value) : t`${formatNumber(value)} kredit`
  }
  const validityOf = ({ validFrom, validUntil }: VoucherView) => {
    if (validFrom && validUntil) return `${formatDate(validFrom)} – ${formatDate(validUntil)}`
    if (validUntil) return t`sampai ${formatDate(validUntil)}`
    return validFrom ? t`mulai ${formatDate(validFrom)}` : t`Selalu`
  }
  return (
    <ListPage
      label={t`Voucher`}
      actions={
        <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => setEdited('new')}>
          {t`Voucher baru`}
        </Button>
      }
      list={voucherList}
      file="rupa-vouchers"
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
          cell: (voucher) => (
            <button
              type="button"
              className="link link-hover cursor-pointer font-mono font-semibold text-[0.8125rem]"
              onClick={() => setEdited(voucher)}
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
      ]}
    >
      {edited === 'new' && <VoucherDialog onClose={() => setEdited(null)} />}
      {edited && edited !== 'new' && (
        <VoucherDialog voucher={edited} about={worthOf(edited)} onClose={() => setEdited(null)} />
      )}
    </ListPage>
  )
}
