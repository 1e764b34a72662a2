import { useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError, errorText } from '#client/api.ts'
import { useBusy } from '#client/busy.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { Form, FormProblem, useForm } from '#ui/form.tsx'
import type { OrderView } from '../schemas.ts'
import { cancelOrder, methodsQuery, type Payment, payAgain, rememberOrder } from './api.ts'
import { pathOfOrder } from './order-parts.tsx'
import { PaymentFields, type PaymentValues, paymentOf, paymentTexts, rememberMethod } from './payment-fields.tsx'

function MethodForm({ order, onPay }: { order: OrderView; onPay: (by: Payment) => Promise<void> }) {
  const { t } = useLingui()
  const { data: methods = [], error, isPending } = useQuery(methodsQuery)
  const form = useForm<PaymentValues>({
    defaultValues: { method: order.method ?? '', mobileNumber: '' },
    texts: paymentTexts,
    check: (values) => paymentOf(methods, order.totalIdr, values).problems,
    send: (values) => onPay(paymentOf(methods, order.totalIdr, values).payment),
  })
  useBusy(form.busy)
  return (
    <Form form={form} className="grid grid-cols-1 gap-3">
      {methods.length > 0 && (
        <PaymentFields methods={methods} amount={order.totalIdr} values={form.watch()} field={form.field} />
      )}
      <FormProblem>{form.problem ?? (error && errorText(error))}</FormProblem>
      <Button type="submit" size="lg" busy={form.busy || isPending}>
        {t`Bayar dengan metode ini`}
      </Button>
    </Form>
  )
}

export function OrderActions({ order }: { order: OrderView }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [asks, setAsks] = useState<'method' | 'cancel' | null>(null)
  const close = () => setAsks(null)
  const pay = async (by: Payment) => {
    const next = await payAgain(order.id, by)
    rememberMethod(next.method)
    close()
    rememberOrder(client, next)
    navigate(pathOfOrder(next), { replace: true })
  }
  const again = useMutation({ mutationFn: () => pay({ method: null, mobileNumber: null }) })
  const cancel = useMutation({
    mutationFn: () => cancelOrder(order.id),
    onSuccess: (cancelled) => {
      close()
      rememberOrder(client, cancelled)
    },
  })
  useBusy(again.isPending || cancel.isPending)
  return (
    <div className="grid grid-cols-1 gap-3">
      <FormProblem>{again.error && errorText(again.error)}</FormProblem>
      {again.error instanceof ApiError && again.error.code === 'voucher.invalid' && (
        <LinkButton variant="soft" to={`/checkout?package=${order.package?.id ?? ''}`}>
          {t`Pesan tanpa voucher`}
        </LinkButton>
      )}
      {order.canPayAgain && order.payment?.status !== 'open' && (
        <Button
          size="lg"
          // While a payment is being reviewed, paying again must not be the main action.
          variant={order.moneyProblem ? 'outline' : 'primary'}
          busy={again.isPending}
          onClick={() => again.mutate()}
        >
          {t`Bayar lagi`}
        </Button>
      )}
      {order.canPayAgain && order.totalIdr > 0 && (
        <Button variant="outline" onClick={() => setAsks('method')}>
          {t`Ganti metode pembayaran`}
        </Button>
      )}
      {order.canCancel && (
        <Button variant="ghost" onClick={() => setAsks('cancel')}>
          {t`Batalkan pesanan`}
        </Button>
      )}
      <BottomSheet open={asks === 'method'} onClose={close} title={t`Metode pembayaran`}>
        <MethodForm order={order} onPay={pay} />
      </BottomSheet>
      <BottomSheet open={asks === 'cancel'} onClose={close} title={t`Batalkan pesanan ini?`}>
        <div className="grid gap-4">
          <p className="text-muted leading-relaxed">{t`Kalau kamu sudah terlanjur membayar, uangnya tetap kami hitung dan kreditnya tetap masuk.`}</p>
          <FormProblem>{cancel.error && errorText(cancel.error)}</FormProblem>
          <Button variant="danger" size="lg" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {t`Ya, batalkan`}
          </Button>
          <Button variant="ghost" onClick={close}>
            {t`Jangan batalkan`}
          </Button>
        </div>
      </BottomSheet>
    </div>
  )
}
