import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { failureOf } from '#client/query.ts'
import { LinkButton } from '#ui/button.tsx'
import { statusLabels } from '../labels.ts'
import { isOpenOrder, orderStatus } from '../rules.ts'
import type { OrderView } from '../types.ts'
import { MoneyNotice } from './money-notice.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderMissing } from './order-missing.tsx'
import { useOrderStory } from './order-story.ts'
import { OrderSummary } from './order-summary.tsx'
import { ReceiptButton } from './receipt-button.tsx'
import { siteQuery } from './support.ts'
import { useCheckedOrder, useOrder } from './use-order.ts'
import { BackToPhoto, useWaitingPhoto } from './waiting-photo.tsx'

function Result({
  picture,
  title,
  children,
  actions,
}: {
  picture: ReactNode
  title: string
  children: ReactNode
  actions: ReactNode
}) {
  return (
    <div className="mx-auto grid w-full max-w-xl grid-cols-1 gap-5 pt-10">
      <div className="grid justify-items-center gap-3 text-center" role="status">
        {picture}
        <h1 className="font-extrabold text-3xl">{title}</h1>
        <p className="max-w-md text-muted leading-relaxed">{children}</p>
      </div>
      <div className="grid grid-cols-1 gap-3">{actions}</div>
    </div>
  )
}

function Home({ variant = 'primary' }: { variant?: 'primary' | 'outline' }) {
  const { t } = useLingui()
  return (
    <LinkButton to="/" size={variant === 'primary' ? 'lg' : 'md'} variant={variant}>
      {t`Kembali ke beranda`}
    </LinkButton>
  )
}

function Paid({ order }: { order: OrderView }) {
  const { t } = useLingui()
  const credits = (order.package?.credits ?? 0) + (order.voucher?.credits ?? 0)
  const unlimited = order.package !== null && order.package.credits === null
  const photo = useWaitingPhoto()
  return (
    <Result
      picture={<CircleCheck aria-hidden className="size-20 text-success" strokeWidth={1.5} />}
      title={t`Pembayaran berhasil`}
      actions={
        <>
          {photo && <BackToPhoto to={photo.to} />}
          <Home variant={photo ? 'outline' : 'primary'} />
          {order.receiptNumber && <ReceiptButton id={order.id} number={order.receiptNumber} />}
        </>
      }
    >
      {unlimited ? (
        t`Sekarang kamu bisa berkarya tanpa batas. Terima kasih!`
      ) : (
        <Plural value={credits} other="# kredit sudah masuk ke saldomu. Terima kasih!" />
      )}
    </Result>
  )
}

function Waiting({ order }: { order: OrderView }) {
  const { t, i18n } = useLingui()
  const story = useOrderStory(order)
  const checked = order.status === orderStatus.awaiting
  return (
    <Result
      picture={<Clock aria-hidden className="size-20 text-info" strokeWidth={1.5} />}
      title={checked ? i18n._(statusLabels[0]) : t`Menunggu pembayaran`}
      actions={
        <>
          <LinkButton size="lg" to={`/checkout?order=${order.id}`}>{t`Lihat pesanan`}</LinkButton>
          <Home variant="outline" />
        </>
      }
    >
      {checked
        ? story
        : order.moneyProblem
          ? t`Halaman ini berubah sendiri begitu pembayaranmu masuk.`
          : t`Kami belum menerima kabar dari penyedia pembayaran. Halaman ini berubah sendiri begitu pembayaranmu masuk.`}
    </Result>
  )
}

function Failed({ order }: { order: OrderView }) {
  const { t } = useLingui()
  const email = useQuery(siteQuery).data?.supportEmail
  const story = useOrderStory(order)
  const refused = order.status === orderStatus.cancelled && order.history.at(-1)?.by === 'admin'
  return (
    <Result
      picture={<CircleAlert aria-hidden className="size-20 text-error" strokeWidth={1.5} />}
      title={t`Pembayaran Gagal!`}
      actions={
        <>
          {refused && <p className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">{story}</p>}
          {order.payment?.status === 'open' && (
            <LinkButton size="lg" to={`/checkout?order=${order.id}`}>
              {t`Coba lagi`}
            </LinkButton>
          )}
          <OrderActions order={order} />
          <Home variant="outline" />
        </>
      }
    >
      {email ? (
        <Trans>
          Sepertinya ada masalah saat menambahkan kreditmu. Silakan coba lagi atau hubungi tim kami untuk bantuan{' '}
          <a href={`mailto:${email}`} className="font-semibold text-primary-ink underline underline-offset-2">
            {email}
          </a>
        </Trans>
      ) : (
        t`Sepertinya ada masalah saat menambahkan kreditmu. Silakan coba lagi.`
      )}
    </Result>
  )
}

/** What the server says of an order counts, not the address that somebody came back to. */
function ResultScreen({ failed }: { failed: boolean }) {
  const { t } = useLingui()
  const [search] = useSearchParams()
  const id = search.get('order') ?? ''
  const query = useOrder(id)
  const { data: order, isFetching, refetch } = query
  useCheckedOrder(id)
  if (!order) {
    return (
      <div className="page pb-12">
        <h1 className="sr-only">{t`Pembayaran`}</h1>
        <OrderMissing
          error={id === '' ? 'unnamed' : failureOf(query)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      </div>
    )
  }
  // Somebody who turned back at the gateway has an order that is still unpaid.
  const waits =
    isOpenOrder(order) && order.payment?.status !== 'failed' && !(failed && order.status === orderStatus.unpaid)
  return (
    <div className="page grid grid-cols-1 gap-5 pb-12">
      <div className="mx-auto mt-6 w-full max-w-xl empty:hidden">
        <MoneyNotice order={order} />
      </div>
      {order.status === orderStatus.paid ? (
        <Paid order={order} />
      ) : waits ? (
        <Waiting order={order} />
      ) : (
        <Failed order={order} />
      )}
      <div className="mx-auto w-full max-w-xl">
        <OrderSummary order={order} />
      </div>
    </div>
  )
}

/** /payment-success?order= */
export function PaymentSuccessPage() {
  return <ResultScreen failed={false} />
}

/** /payment-failed?order= */
export function PaymentFailedPage() {
  return <ResultScreen failed />
}
