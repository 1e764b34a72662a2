import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import { formatRupiah } from '#app/format.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { brandName } from '#contract/brand.ts'
import type { OrderView, PaymentView } from '../contract.ts'
import { paymentMethods } from '../methods.ts'
import { CopyRow } from './copy-row.tsx'
import { formatCountdown, formatWib, useIsOver, useNow } from './time.ts'
import { TransferProof } from './transfer-proof.tsx'

/** Only those who pay by QRIS need what draws it. */
const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

function Countdown({ until }: { until: string }) {
  const { t } = useLingui()
  const left = Date.parse(until) - useNow()
  const moment = formatWib(until)
  return (
    <div className="grid justify-items-center gap-1 rounded-box bg-soft px-4 py-4 text-center text-on-soft">
      <p className="text-sm">{t`Sisa waktu pembayaran`}</p>
      <p role="timer" className="font-extrabold text-3xl tabular-nums">
        {formatCountdown(left)}
      </p>
      <p className="text-sm">{t`Bayar sebelum ${moment}`}</p>
    </div>
  )
}

/** How to pay an order now: until when, to which number, on which page. */
export function OpenPayment({ order, payment }: { order: OrderView; payment: PaymentView }) {
  const { t } = useLingui()
  const { url, vaNumber, qrContent, account, expiresAt } = payment
  const over = useIsOver(expiresAt)
  const approval = order.method ? paymentMethods[order.method].approvalSeconds : null
  return (
    <section aria-label={t`Cara bayar`} className="card-surface grid gap-5 p-5">
      {expiresAt && <Countdown until={expiresAt} />}
      {over && (
        <p role="status" className="text-center text-sm leading-relaxed">
          {t`Waktunya habis. Kalau kamu sudah membayar, tunggu sebentar: kami sedang memastikannya.`}
        </p>
      )}
      {account && (
        <>
          <p className="text-sm leading-relaxed">
            {t`Transfer tepat sejumlah ini ke rekening ${account.bank} atas nama ${account.holder}.`}
          </p>
          <CopyRow name={t`Nomor rekening`} value={account.number} />
        </>
      )}
      {vaNumber && !over && <CopyRow name={t`Nomor virtual account`} value={vaNumber} />}
      {qrContent && !over && (
        <Suspense fallback={<Skeleton className="mx-auto aspect-square w-full max-w-72" />}>
          <QrCode
            content={qrContent}
            amountIdr={order.totalIdr}
            fileName={`${brandName.toLowerCase()}-qris-${order.id.slice(-8)}.png`}
          />
        </Suspense>
      )}
      {((vaNumber && !over) || account) && (
        <CopyRow name={t`Jumlah`} value={String(order.totalIdr)} shown={formatRupiah(order.totalIdr)} />
      )}
      {url && !over && (
        <a href={url} className="btn btn-primary btn-lg w-full">
          {t`Bayar sekarang`}
        </a>
      )}
      {approval !== null && (
        <p className="text-muted text-sm">{t`Siapkan aplikasinya: permintaan hanya menunggu ${approval} detik.`}</p>
      )}
      {order.canReportTransfer && account && <TransferProof order={order} />}
      <p role="status" className="text-center text-muted text-sm">
        {t`Halaman ini berubah sendiri begitu pembayaranmu masuk.`}
      </p>
    </section>
  )
}
