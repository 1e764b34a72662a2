import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDateTime, formatNumber, formatRupiah } from '#client/format.ts'
import { parseNumber } from '#client/parse-number.ts'
import { reasonMaxLength } from '#shared/reason.ts'
import { useActRefusal } from '#ui/admin/act-refusal.tsx'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { usePermission } from '#ui/admin/use-permission.ts'
import { CheckboxField, TextField } from '#ui/field.tsx'
import { Panel, Rows } from '#ui/lists/panel.tsx'
import type { AdminOrderView } from '../../admin/schemas.ts'
import { problemLabels } from './labels.ts'

export function Payments({ order: { payments, buyer } }: { order: AdminOrderView }) {
  const { i18n, t } = useLingui()
  const may = usePermission()
  const maySettle = useActRefusal()(buyer) === undefined && may('money')
  return (
    <Panel title={t`Uang yang masuk`}>
      <Rows
        empty={t`Belum ada uang yang masuk.`}
        rows={payments.map(({ id, amount, currency, problem, receivedAt, settlement }) => ({
          key: id,
          title: currency === 'IDR' ? formatRupiah(amount) : `${formatNumber(amount)} ${currency}`,
          text: problem && <span className="text-error">{i18n._(problemLabels[problem])}</span>,
          note: [formatDateTime(receivedAt), settlement].filter(Boolean).join(' · '),
          end: problem && settlement === null && maySettle && (
            <DialogButton dialog={<SettleDialog id={id} />}>{t`Selesaikan`}</DialogButton>
          ),
        }))}
      />
    </Panel>
  )
}

function SettleDialog({ id }: { id: string }) {
  const { t } = useLingui()
  return (
    <FormDialog
      reason
      title={t`Bagaimana uang ini diselesaikan?`}
      text={t`Misalnya dikembalikan, atau diganti dengan kredit. Setelah itu, statusnya selesai.`}
      confirm={t`Selesaikan`}
      successMessage={t`Sudah diselesaikan.`}
      change={{ path: `payments/${id}/settle` }}
    />
  )
}

export function Refunds({ refunds }: Pick<AdminOrderView, 'refunds'>) {
  const { t } = useLingui()
  return (
    <Panel title={t`Uang yang dikembalikan`}>
      <Rows
        rows={refunds.map(({ id, amountIdr, credits, reference, reason, at, by }) => ({
          key: id,
          title: formatRupiah(amountIdr),
          text: reason,
          note: [t`${formatNumber(credits)} kredit diambil kembali`, reference, by, formatDateTime(at)]
            .filter(Boolean)
            .join(' · '),
        }))}
      />
    </Panel>
  )
}

export function RefundDialog({ order: { id, refundableIdr } }: { order: AdminOrderView }) {
  const { t } = useLingui()
  const [key] = useState(() => crypto.randomUUID())
  return (
    <FormDialog
      danger
      reason={{ label: t`Alasan untuk pembeli`, max: reasonMaxLength }}
      title={t`Kembalikan uang pesanan ini?`}
      text={t`Kirim dulu uangnya lewat bank, lalu catat di sini. Pembeli diberi tahu lewat email.`}
      confirm={t`Catat pengembalian`}
      successMessage={t`Pengembalian uang sudah dicatat.`}
      values={{ amountIdr: String(refundableIdr), reference: '', takeCredits: true }}
      change={({ amountIdr, ...given }) => ({
        path: `orders/${id}/refunds`,
        headers: { 'idempotency-key': key },
        json: { amountIdr: parseNumber(amountIdr), ...given },
      })}
      texts={{ amountIdr: t`1 sampai ${formatRupiah(refundableIdr)}`, reference: t`Nomor transfer dari bank` }}
    >
      {({ field }) => (
        <>
          <TextField
            label={t`Rupiah yang dikirim kembali`}
            hint={t`Paling banyak ${formatRupiah(refundableIdr)}`}
            inputMode="numeric"
            {...field('amountIdr')}
          />
          <TextField label={t`Nomor transfer`} maxLength={100} {...field('reference')} />
          <CheckboxField
            label={t`Ambil kembali kredit yang belum terpakai, sebanding dengan uangnya`}
            {...field('takeCredits')}
          />
        </>
      )}
    </FormDialog>
  )
}
