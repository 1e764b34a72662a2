import { toolRoutes } from 'virtual:tool-routes'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck, Clock, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { sessionKeys } from '#client/storage.ts'
import { draftedTool } from '#features/generations/app/generations.ts'
import { useUploads } from '#features/uploads/app/uploads.ts'
import { LinkButton } from '#ui/button.tsx'
import { statusLabels } from '../labels.ts'
import { isOpenOrder, orderStatus } from '../rules.ts'
import type { OrderView } from '../schemas.ts'
import { InvoiceBuyer } from './invoice-buyer.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderMissing, OrderSummary, PaymentProblemNotice, ReceiptButton, useSupportLink } from './order-parts.tsx'
import { useGatewayCheck, useOrder, useOrderExplanation } from './use-order.ts'

function Result({
  icon: Icon,
  tone,
  title,
  text,
  next,
  children,
}: {
  icon: LucideIcon
  tone: string
  title: string
  text: ReactNode
  next: ReactNode
  children?: ReactNode
}) {
  const { t } = useLingui()
  return (
    <div className="mx-auto grid w-full max-w-xl grid-cols-1 gap-5 pt-10">
      <div className="grid grid-cols-1 justify-items-center gap-3 text-center" role="status">
        <Icon aria-hidden className={`size-20 ${tone}`} strokeWidth={1.5} />
        <h1 className="font-extrabold text-3xl leading-tight">{title}</h1>
        <p className="max-w-md text-muted leading-relaxed">{text}</p>
      </div>
      <div className="grid grid-cols-1 gap-3">
        {next}
        <LinkButton to="/" size={next ? 'md' : 'lg'} variant={next ? 'outline' : 'primary'}>
          {t`Kembali ke beranda`}
        </LinkButton>
        {children}
      </div>
    </div>
  )
}

function Paid({ order }: { order: OrderView }) {
  const { t } = useLingui()
  const credits = (order.package?.credits ?? 0) + (order.voucher?.credits ?? 0)
  const photo = useWaitingPhoto()
  const [studio] = useState(studioBefore)
  return (
    <Result
      icon={CircleCheck}
      tone="text-success"
      title={order.package ? t`Pembayaran berhasil` : t`Voucher berhasil dipakai`}
      text={
        order.package?.credits === null ? (
          t`Sekarang kamu bisa berkarya tanpa batas. Terima kasih!`
        ) : (
          <Plural value={credits} other="# kredit sudah masuk ke saldomu. Terima kasih!" />
        )
      }
      next={
        (photo ?? studio) && (
          <LinkButton to={photo ?? studio ?? '/'} size="lg">
            {photo ? t`Lanjutkan fotomu` : t`Kembali ke alatmu`}
          </LinkButton>
        )
      }
    >
      {order.receiptNumber && (
        <ReceiptButton id={order.id} number={order.receiptNumber} invoice={order.invoiceNumber} />
      )}
    </Result>
  )
}

function Waiting({ order }: { order: OrderView }) {
  const { t, i18n } = useLingui()
  const storyOf = useOrderExplanation()
  const checked = order.status === orderStatus.awaiting
  const waiting = order.moneyProblem ? t`Pembayaran sedang diperiksa` : t`Menunggu pembayaran`
  return (
    <Result
      icon={Clock}
      tone="text-info"
      title={checked ? i18n._(statusLabels[order.status]) : waiting}
      text={
        checked
          ? storyOf(order)
          : order.moneyProblem
            ? t`Jangan bayar lagi dulu. Halaman ini berubah sendiri begitu pemeriksaannya selesai.`
            : t`Kami masih menunggu konfirmasi pembayaran. Halaman ini berubah sendiri begitu pembayaranmu masuk.`
      }
      next={<LinkButton size="lg" to={`/checkout?order=${order.id}`}>{t`Lihat pesanan`}</LinkButton>}
    />
  )
}

function Failed({ order }: { order: OrderView }) {
  const { t } = useLingui()
  const support = useSupportLink()
  const storyOf = useOrderExplanation()
  const refused = order.status === orderStatus.cancelled && order.history.at(-1)?.by === 'admin'
  return (
    <Result
      icon={CircleAlert}
      tone="text-error"
      title={t`Pembayaran Gagal!`}
      text={
        support ? (
          <Trans>
            Sepertinya ada masalah saat menambahkan kreditmu. Silakan coba lagi atau hubungi tim kami untuk bantuan{' '}
            {support}
          </Trans>
        ) : (
          t`Sepertinya ada masalah saat menambahkan kreditmu. Silakan coba lagi.`
        )
      }
      next={
        <>
          {refused && <p className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">{storyOf(order)}</p>}
          {order.payment?.status === 'open' && (
            <LinkButton size="lg" to={`/checkout?order=${order.id}`}>
              {t`Coba lagi`}
            </LinkButton>
          )}
          <OrderActions order={order} />
        </>
      }
    />
  )
}

/** The order's state on the server counts, not the address. */
export function ResultPage() {
  const [path] = useLocation()
  const [search] = useSearchParams()
  const id = search.get('order') ?? ''
  const query = useOrder(id)
  const order = query.data
  useGatewayCheck(id, 'at-once')
  if (!order) return <OrderMissing id={id} query={query} />
  // A buyer who cancelled at the gateway has an unpaid order.
  const hasFailed =
    order.payment?.status === 'failed' || (path === '/payment-failed' && order.status === orderStatus.unpaid)
  // Staff review money that arrived; the buyer must not pay a second time.
  const isPending = isOpenOrder(order) && (order.moneyProblem !== null || !hasFailed)
  const Shown = order.status === orderStatus.paid ? Paid : isPending ? Waiting : Failed
  return (
    <div className="page grid grid-cols-1 gap-5 pb-12">
      <div className="mx-auto mt-6 w-full max-w-xl empty:hidden">
        <PaymentProblemNotice order={order} />
      </div>
      <Shown order={order} />
      <div className="mx-auto grid w-full max-w-xl grid-cols-1 gap-5">
        <OrderSummary order={order} />
        <InvoiceBuyer order={order} />
      </div>
    </div>
  )
}

/** Tool page from which the buyer came in this tab. */
function studioBefore(): string | null {
  const address = sessionStorage.getItem(sessionKeys.boughtFrom)
  const routes: readonly string[] = Object.values(toolRoutes)
  return address !== null && routes.includes(address.split('?')[0] ?? '') ? address : null
}

/** Page where a buyer resumes an interrupted edit; null without a waiting picture. */
function useWaitingPhoto(): string | null {
  const [drafted, setDrafted] = useState<string | null>(null)
  useEffect(() => {
    void draftedTool().then(setDrafted)
  }, [])
  const short = useUploads().some(({ state }) => state === 'credits')
  return (drafted === null ? undefined : toolRoutes[drafted]) ?? (short ? '/history' : null)
}
