import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDateTime, formatNumber, formatRupiah, parseNumber } from '#client/format.ts'
import { reasonMaxLength } from '#shared/reason.ts'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { useActRefusal, usePermission } from '#ui/admin/permissions.tsx'
import { CheckboxField, SelectField, TextField } from '#ui/field.tsx'
import { Panel, Rows } from '#ui/lists/panel.tsx'
import type { AdminOrderView } from '../../admin/schemas.ts'
import { methodName } from '../../labels.ts'
import { attemptLabels, problemLabels } from './labels.ts'

type GatewayRefundStatus = 'sending' | 'sent' | 'failed'

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

/** Newest first. */
export function Attempts({ attempts }: Pick<AdminOrderView, 'attempts'>) {
  const { i18n, t } = useLingui()
  return (
    <Panel title={t`Percobaan bayar`}>
      <Rows
        rows={attempts.toReversed().map(({ id, method, status, amountIdr, at }) => ({
          key: id,
          title: methodName(method),
          text: <span className={status === 'failed' ? 'text-error' : undefined}>{i18n._(attemptLabels[status])}</span>,
          note: `${formatRupiah(amountIdr)} · ${formatDateTime(at)}`,
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

export function Refunds({ refunds, gatewayRefunds }: Pick<AdminOrderView, 'refunds' | 'gatewayRefunds'>) {
  const { t } = useLingui()
  return (
    <Panel title={t`Uang yang dikembalikan`}>
      <Rows
        rows={[
          ...gatewayRefunds.map(({ id, amountIdr, status, failure, at }) => ({
            key: id,
            title: formatRupiah(amountIdr),
            text:
              status === 'sending' ? (
                t`Sedang dikirim gerbang pembayaran`
              ) : (
                <span className="text-error">{t`Ditolak gerbang pembayaran. Kirim lewat bank.`}</span>
              ),
            note: [failure, formatDateTime(at)].filter(Boolean).join(' · '),
          })),
          ...refunds.map(({ id, amountIdr, credits, reference, reason, at, by }) => ({
            key: id,
            title: formatRupiah(amountIdr),
            text: reason,
            note: [t`${formatNumber(credits)} kredit diambil kembali`, reference, by, formatDateTime(at)]
              .filter(Boolean)
              .join(' · '),
          })),
        ]}
      />
    </Panel>
  )
}

export function RefundDialog({ order: { id, refundableIdr, refundableByGateway } }: { order: AdminOrderView }) {
  const { t } = useLingui()
  const [key] = useState(() => crypto.randomUUID())
  const outcomes: Record<GatewayRefundStatus, string> = {
    sent: t`Pengembalian uang sudah dicatat.`,
    sending: t`Gerbang pembayaran sedang mengirim uangnya.`,
    failed: t`Gerbang pembayaran menolak. Kirim lewat bank.`,
  }
  return (
    <FormDialog
      danger
      reason={{ label: t`Alasan untuk pembeli`, max: reasonMaxLength }}
      title={t`Kembalikan uang pesanan ini?`}
      text={
        refundableByGateway
          ? t`Gerbang pembayaran bisa mengirimnya dengan metode yang sama. Kalau lewat bank, kirim dulu, lalu catat di sini. Pembeli diberi tahu lewat email.`
          : t`Metode pembayaran ini tidak bisa dikembalikan lewat gerbang. Kirim dulu uangnya lewat bank, lalu catat di sini. Pembeli diberi tahu lewat email.`
      }
      confirm={({ via }) => (via === 'gateway' ? t`Kirim uangnya` : t`Catat pengembalian`)}
      successMessage={({ status }: { status: GatewayRefundStatus }) => outcomes[status]}
      values={{
        amountIdr: String(refundableIdr),
        via: refundableByGateway ? 'gateway' : 'bank',
        reference: '',
        takeCredits: true,
      }}
      change={({ amountIdr, ...given }) => ({
        path: `orders/${id}/refunds`,
        headers: { 'idempotency-key': key },
        json: { amountIdr: parseNumber(amountIdr), ...given },
      })}
      texts={{ amountIdr: t`1 sampai ${formatRupiah(refundableIdr)}`, reference: t`Nomor transfer dari bank` }}
    >
      {({ field, watch }) => (
        <>
          {refundableByGateway && (
            <SelectField
              label={t`Kirim lewat`}
              choices={{ gateway: t`Gerbang pembayaran`, bank: t`Transfer bank` }}
              {...field('via')}
            />
          )}
          <TextField
            label={t`Rupiah yang dikirim kembali`}
            hint={t`Paling banyak ${formatRupiah(refundableIdr)}`}
            inputMode="numeric"
            {...field('amountIdr')}
          />
          {watch('via') === 'bank' && <TextField label={t`Nomor transfer`} maxLength={100} {...field('reference')} />}
          <CheckboxField
            label={t`Ambil kembali kredit yang belum terpakai, sebanding dengan uangnya`}
            {...field('takeCredits')}
          />
        </>
      )}
    </FormDialog>
  )
}
