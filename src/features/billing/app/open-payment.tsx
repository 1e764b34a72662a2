import { useLingui } from '@lingui/react/macro'
import { Suspense } from 'react'
import { formatRupiah } from '#client/format.ts'
import { lazyComponent } from '#client/lazy.ts'
import { brandName } from '#contract/brand.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { paymentMethods } from '../methods.ts'
import type { OrderView, PaymentView } from '../types.ts'
import { CopyRow } from './copy-row.tsx'
import { paymentSteps } from './payment-steps.ts'
import { formatCountdown, formatWib, useNow } from './time.ts'
import { TransferProof } from './transfer-proof.tsx'

/** Only those who pay by QRIS need what draws it. */
const QrCode = lazyComponent(() => import('./qr-code.tsx'), 'QrCode')

function Deadline({ until, left }: { until: string; left: number }) {
  const { t } = useLingui()
  const moment = formatWib(until)
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-field bg-soft px-4 py-2.5 text-on-soft text-sm">
      <span>{t`Bayar sebelum ${moment}`}</span>
      <span role="timer" aria-label={t`Sisa waktu pembayaran`} className="font-bold text-base tabular-nums">
        {formatCountdown(left)}
      </span>
    </p>
  )
}

/** The digits as they are read out, four at a time. */
const inFours = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, '$1 ')

function Steps({ order, hasNumber }: { order: OrderView; hasNumber: boolean }) {
  const { t, i18n } = useLingui()
  const steps = order.method ? paymentSteps(order.method, { hasNumber }) : []
  if (steps.length === 0) return null
  return (
    <section aria-labelledby="payment-steps">
      <h3 id="payment-steps" className="mb-2 font-semibold">{t`Langkah membayar`}</h3>
      <ol className="grid list-decimal gap-1.5 pl-5 text-sm leading-relaxed">
        {steps.map((step) => (
          <li key={step.id}>{i18n._(step)}</li>
        ))}
      </ol>
    </section>
  )
}

/** How to pay an order now: by what, to which number, until when, on which page. */
export function OpenPayment({ order, payment }: { order: OrderView; payment: PaymentView }) {
  const { t } = useLingui()
  const now = useNow()
  const { url, vaNumber, qrContent, account, expiresAt } = payment
  const left = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now
  const over = left <= 0
  const method = order.method ? paymentMethods[order.method] : null
  const amount = formatRupiah(order.totalIdr)
  const numbers = (vaNumber !== null && !over) || account !== null
  return (
    <section aria-label={t`Cara bayar`} className="card grid min-w-0 grid-cols-1 gap-5 p-5">
      {method && (
        <h2 className="flex items-center gap-3">
          <img src={`/methods/${method.id}.svg`} alt="" width={48} height={48} />
          <span className="grid min-w-0 flex-1">
            <span className="font-bold text-xl">{method.name}</span>
            {vaNumber && !over && <span className="font-normal text-muted text-sm">{t`Virtual account`}</span>}
          </span>
        </h2>
      )}
      {account && (
        <>
          <p className="text-sm leading-relaxed">
            {t`Transfer tepat sejumlah ini ke rekening ${account.bank} atas nama ${account.holder}.`}
          </p>
          <CopyRow name={t`Nomor rekening`} value={account.number} />
        </>
      )}
      {vaNumber && !over && <CopyRow name={t`Nomor virtual account`} value={vaNumber} shown={inFours(vaNumber)} />}
      {qrContent && !over && (
        <Suspense fallback={<Skeleton className="mx-auto aspect-square w-full max-w-72" />}>
          <QrCode
            content={qrContent}
            amountIdr={order.totalIdr}
            fileName={`${brandName.toLowerCase()}-qris-${order.id.slice(-8)}.png`}
          />
        </Suspense>
      )}
      {numbers && <CopyRow name={t`Jumlah`} value={String(order.totalIdr)} shown={amount} />}
      {!numbers && !qrContent && (
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="text-muted">{t`Jumlah`}</span>
          <strong className="text-2xl tabular-nums">{amount}</strong>
        </p>
      )}
      {expiresAt && <Deadline until={expiresAt} left={left} />}
      {over && (
        <p role="status" className="text-center text-sm leading-relaxed">
          {t`Waktunya habis. Kalau kamu sudah membayar, tunggu sebentar: kami sedang memastikannya.`}
        </p>
      )}
      {url && !over && (
        <a href={url} className={`btn btn-lg w-full ${numbers || qrContent ? 'btn-soft btn-primary' : 'btn-primary'}`}>
          {t`Bayar sekarang`}
        </a>
      )}
      {!over && <Steps order={order} hasNumber={vaNumber !== null} />}
      {order.canReportTransfer && account && <TransferProof order={order} />}
      <p role="status" className="text-center text-muted text-sm">
        {t`Halaman ini berubah sendiri begitu pembayaranmu masuk.`}
      </p>
    </section>
  )
}
