import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { errorText } from '#client/api.ts'
import { useBusy } from '#client/busy.ts'
import { serverNow } from '#client/device/server-time.ts'
import { formatRupiah } from '#client/format.ts'
import { lazyComponent } from '#client/lazy.ts'
import { formatWib } from '#client/wib.ts'
import { PushOffer } from '#features/push/app/push.ts'
import { brandName } from '#shared/brand.ts'
import { Button } from '#ui/button.tsx'
import { FileButton } from '#ui/file-button.tsx'
import { FormProblem } from '#ui/form.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { copyText } from '#ui/use-action.ts'
import { type MethodId, paymentMethods } from '../payment-methods.ts'
import type { OrderView, PaymentView } from '../schemas.ts'
import { rememberOrder, reportTransfer } from './api.ts'

/** Menu paths in the banks' own apps. */
const bankMenus: Partial<Record<MethodId, MessageDescriptor>> = {
  bca: msg`Buka BCA mobile, pilih m-Transfer, lalu BCA Virtual Account.`,
  bri: msg`Buka BRImo, pilih BRIVA, lalu Pembayaran Baru.`,
  bni: msg`Buka aplikasi BNI, pilih Transfer, lalu Virtual Account Billing.`,
  mandiri: msg`Buka Livin' by Mandiri, pilih Bayar, lalu Virtual Account.`,
  bsi: msg`Buka aplikasi BSI, pilih Bayar, lalu Virtual Account.`,
  cimb_niaga: msg`Buka OCTO Mobile, pilih Transfer, lalu Virtual Account.`,
}

const account = [
  msg`Tempel nomor virtual account di atas.`,
  msg`Cocokkan nama dan jumlahnya, lalu masukkan PIN.`,
  msg`Dari bank lain atau ATM: pilih transfer ke virtual account, dengan nomor yang sama.`,
]

/** A QR code explains itself. */
function paymentSteps(method: MethodId, { hasNumber }: { hasNumber: boolean }): MessageDescriptor[] {
  const { kind, name, approvalSeconds } = paymentMethods[method]
  const menu = bankMenus[method]
  if (kind === 'bank') return hasNumber && menu ? [menu, ...account] : []
  if (kind === 'qris') return []
  return [
    msg`Ketuk Bayar sekarang.`,
    approvalSeconds === null
      ? msg`Setujui pembayarannya di aplikasi ${name}.`
      : msg`Buka aplikasi ${name} dan setujui permintaannya dalam ${approvalSeconds} detik.`,
    msg`Kembali ke halaman ini. Kreditmu masuk sendiri.`,
  ]
}

function CopyRow({ name, value, shown = value }: { name: string; value: string; shown?: string }) {
  const { t } = useLingui()
  const messages = { done: t`${name} disalin`, failed: t`Tidak bisa menyalin. Tandai nomornya, lalu salin sendiri.` }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <div className="min-w-0">
        <p className="text-muted text-sm">{name}</p>
        <p className="select-all wrap-anywhere font-bold text-lg sm:text-xl tabular-nums">{shown}</p>
      </div>
      <Button
        variant="soft"
        className="px-3"
        icon={Copy}
        aria-label={t`Salin ${name}`}
        onClick={() => void copyText(value, messages)}
      >
        {t`Salin`}
      </Button>
    </div>
  )
}

/** Only QRIS needs the code for drawing. */
const QrCode = lazyComponent(
  () => import('./qr-code.tsx'),
  'QrCode',
  <Skeleton className="mx-auto aspect-square w-full max-w-72" />,
)

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
        <QrCode
          content={qrContent}
          amountIdr={order.totalIdr}
          fileName={`${brandName.toLowerCase()}-qris-${order.id.slice(-8)}.png`}
        />
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
      {!over && <PushOffer>{t`Beri tahu aku kalau sudah masuk`}</PushOffer>}
    </section>
  )
}

function TransferProof({ order }: { order: OrderView }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const report = useMutation({
    mutationFn: (proof: File) => reportTransfer(order.id, proof),
    onSuccess: (reported) => rememberOrder(client, reported),
  })
  useBusy(report.isPending)
  return (
    <div className="grid gap-2">
      <p className="text-sm leading-relaxed">{t`Sudah transfer? Kirim foto atau tangkapan layar buktinya. Kredit masuk setelah kami periksa.`}</p>
      <FileButton
        size="lg"
        className="w-full"
        busy={report.isPending}
        // Listed one by one, so that a phone with HEIC photos converts the chosen one.
        accept="image/jpeg,image/png,image/webp"
        onFiles={([proof]) => proof && report.mutate(proof)}
      >
        {t`Kirim bukti transfer`}
      </FileButton>
      <FormProblem>{report.error && errorText(report.error)}</FormProblem>
    </div>
  )
}

/** Such as `23:59:07`. */
function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

function useNow(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
