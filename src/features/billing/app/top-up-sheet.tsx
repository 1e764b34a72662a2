import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { useBusy } from '#client/busy.ts'
import { formatRupiah } from '#client/format.ts'
import { sessionKeys } from '#client/storage.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { CheckboxField } from '#ui/field.tsx'
import { Form, FormProblem, useForm } from '#ui/form.tsx'
import { PageLoadFailed } from '#ui/lists/query-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { orderStatus } from '../rules.ts'
import type { PackageView, PaymentMethodView } from '../schemas.ts'
import { methodsQuery, placeOrder, rememberOrder } from './api.ts'
import { packagesQuery } from './billing.tsx'
import { OpenPayment } from './open-payment.tsx'
import { OrderActions } from './order-actions.tsx'
import { PaymentProblemNotice, PolicyLink } from './order-parts.tsx'
import { PackageChoice } from './package-choice.tsx'
import { useGatewayCheck, useOrder } from './use-order.ts'

/** Cheapest first. */
function sufficient(packages: readonly PackageView[], missing: number): PackageView[] {
  return packages
    .filter(({ credits }) => credits === null || credits >= missing)
    .toSorted((one, other) => one.idr - other.idr)
}

/** The dialog scrolls to its new content by itself. */
const focusOn = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

/** Buys a package by QRIS without leaving the tool, which continues afterwards. */
export function TopUpSheet({
  missing,
  onClose,
  onPaid,
}: {
  /** 0 for a purchase in advance. */
  missing: number
  onClose: () => void
  onPaid: () => void
}) {
  const { t } = useLingui()
  const packages = useQuery(packagesQuery)
  const methods = useQuery(methodsQuery)
  const [order, setOrder] = useState<string | null>(null)
  return (
    <BottomSheet
      open
      onClose={onClose}
      title={
        order !== null ? (
          t`Bayar dengan QRIS`
        ) : missing > 0 ? (
          <Plural value={missing} one="Kurang # kredit" other="Kurang # kredit" />
        ) : (
          t`Tambah kredit`
        )
      }
    >
      {order !== null ? (
        <div ref={focusOn} tabIndex={-1} className="outline-none">
          <PendingOrder id={order} onPaid={onPaid} />
        </div>
      ) : packages.data && methods.data ? (
        <Offers packages={sufficient(packages.data.items, missing)} methods={methods.data} onPlaced={setOrder} />
      ) : (
        <PageLoadFailed queries={[packages, methods]} title={t`Pembayaran belum bisa dibuka`}>
          <Skeleton className="h-80" />
        </PageLoadFailed>
      )}
    </BottomSheet>
  )
}

const texts = { 'checkout.accept': msg`Setujui Kebijakan Privasi dan Syarat Layanan dulu, ya.` }

function Offers({
  packages,
  methods,
  onPlaced,
}: {
  packages: PackageView[]
  methods: PaymentMethodView[]
  onPlaced: (order: string) => void
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const form = useForm({
    defaultValues: { packageId: packages[0]?.id ?? '', accepted: false },
    texts,
    check: ({ accepted }) => ({ accepted: accepted ? null : 'checkout.accept' }),
    send: async ({ packageId }) => {
      const placed = await placeOrder({ packageId, voucherCode: null, method: 'qris', mobileNumber: null })
      rememberOrder(client, placed)
      onPlaced(placed.id)
    },
  })
  useBusy(form.busy)
  const packageId = form.watch('packageId')
  const bought = packages.find(({ id }) => id === packageId)
  const price = formatRupiah(bought?.idr ?? 0)
  const byQris = methods.some(({ id, min, max }) => id === 'qris' && bought && bought.idr >= min && bought.idr <= max)
  const [path] = useLocation()
  const rememberPage = () => sessionStorage.setItem(sessionKeys.boughtFrom, path + window.location.search)
  const others = `/checkout?package=${packageId}`
  return (
    <Form form={form} className="grid grid-cols-1 gap-4">
      <PackageChoice packages={packages} alone {...form.register('packageId')} />
      {byQris && (
        <>
          <CheckboxField
            label={
              <Trans>
                Saya menyetujui <PolicyLink to="/privacy-policy">Kebijakan Privasi</PolicyLink> dan{' '}
                <PolicyLink to="/terms-of-service">Syarat Layanan</PolicyLink>
              </Trans>
            }
            {...form.field('accepted')}
          />
          <FormProblem>{form.problem}</FormProblem>
          <Button type="submit" size="lg" busy={form.busy}>
            {t`Bayar ${price} dengan QRIS`}
          </Button>
        </>
      )}
      <div className="grid" onClickCapture={rememberPage}>
        <LinkButton
          to={others}
          state={{ accepted: form.watch('accepted') }}
          variant={byQris ? 'ghost' : 'primary'}
          size={byQris ? 'md' : 'lg'}
        >
          {byQris ? t`Metode lain atau voucher` : t`Lanjut ke pembayaran`}
        </LinkButton>
      </div>
    </Form>
  )
}

function PendingOrder({ id, onPaid }: { id: string; onPaid: () => void }) {
  const { t } = useLingui()
  const { data: order } = useOrder(id)
  const payment = order?.payment?.status === 'open' ? order.payment : null
  useGatewayCheck(id, payment && payment.driver !== 'manual' ? 'on-return' : 'never')
  const paid = order?.status === orderStatus.paid
  const goOn = useEffectEvent(() => {
    showSnackbar('success', t`Kredit sudah masuk ke saldomu.`)
    onPaid()
  })
  useEffect(() => {
    if (paid) goOn()
  }, [paid])
  if (!order) return <Skeleton className="h-80" />
  return (
    <div className="grid grid-cols-1 gap-4">
      <PaymentProblemNotice order={order} />
      {payment && order.status === orderStatus.unpaid && <OpenPayment order={order} payment={payment} />}
      {!payment && order.payment?.status === 'creating' && <Skeleton className="h-80" />}
      <OrderActions order={order} />
    </div>
  )
}
