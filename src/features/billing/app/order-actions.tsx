import { useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '#client/api.ts'
import { useBusy } from '#client/busy.ts'
import { errorText } from '#client/errors.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import type { MethodId } from '../methods.ts'
import { orderStatus, toMobileNumber } from '../rules.ts'
import type { OrderView } from '../types.ts'
import { cancelOrder, payAgain } from './api.ts'
import { rememberMethod } from './last-method.ts'
import { MethodPicker } from './method-picker.tsx'
import { MobileNumberField } from './mobile-number.tsx'
import { methodsQuery, rememberOrder } from './queries.ts'

/** Pay again, by another method if wanted, and cancel. */
export function OrderActions({ order }: { order: OrderView }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [asking, setAsking] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [method, setMethod] = useState<MethodId | null>(order.method)
  const [mobileNumber, setMobileNumber] = useState('')
  const [asked, setAsked] = useState(false)
  const methods = useQuery({ ...methodsQuery, enabled: choosing })
  const again = useMutation({
    mutationFn: (by: { method: MethodId | null; mobileNumber: string | null }) => payAgain(order.id, by),
    onSuccess: (next) => {
      rememberMethod(next.method)
      setChoosing(false)
      rememberOrder(client, next)
      navigate(next.status === orderStatus.paid ? `/payment-success?order=${next.id}` : `/checkout?order=${next.id}`, {
        replace: true,
      })
    },
  })
  const cancel = useMutation({
    mutationFn: () => cancelOrder(order.id),
    onSuccess: (cancelled) => {
      setAsking(false)
      rememberOrder(client, cancelled)
    },
  })
  useBusy(again.isPending || cancel.isPending)
  const open = order.payment?.status === 'open'
  const wanted = methods.data?.find(({ id }) => id === method)
  const asksNumber = wanted?.asksMobileNumber === true && wanted.driver !== 'manual'
  const change = () => {
    setAsked(true)
    if (asksNumber && toMobileNumber(mobileNumber) === null) return
    again.mutate({ method, mobileNumber: asksNumber ? mobileNumber : null })
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      {again.error && !choosing && (
        <p role="alert" className="font-medium text-error text-sm">
          {errorText(again.error)}
        </p>
      )}
      {again.error instanceof ApiError && again.error.code === 'voucher.invalid' && !choosing && (
        <LinkButton variant="soft" to={`/checkout?package=${order.package?.id ?? ''}`}>
          {t`Pesan tanpa voucher`}
        </LinkButton>
      )}
      {order.canPayAgain && !open && (
        <Button
          size="lg"
          // Whose money is being looked at need not pay once more.
          variant={order.moneyProblem ? 'outline' : 'primary'}
          busy={again.isPending}
          onClick={() => again.mutate({ method: null, mobileNumber: null })}
        >
          {t`Bayar lagi`}
        </Button>
      )}
      {order.canPayAgain && order.totalIdr > 0 && (
        <Button variant="outline" onClick={() => setChoosing(true)}>
          {t`Ganti metode pembayaran`}
        </Button>
      )}
      {order.canCancel && (
        <Button variant="ghost" onClick={() => setAsking(true)}>
          {t`Batalkan pesanan`}
        </Button>
      )}
      <Dialog open={choosing} onClose={() => setChoosing(false)} title={t`Metode pembayaran`} place="bottom">
        <div className="grid gap-4">
          {methods.data && (
            <MethodPicker methods={methods.data} amount={order.totalIdr} chosen={method} onChoose={setMethod} />
          )}
          {asksNumber && (
            <MobileNumberField
              wallet={wanted.name}
              value={mobileNumber}
              error={
                asked && toMobileNumber(mobileNumber) === null
                  ? t`Tulis nomor HP yang benar, misalnya 0812 3456 7890.`
                  : undefined
              }
              onChange={setMobileNumber}
            />
          )}
          {(again.error ?? methods.error) && (
            <p role="alert" className="font-medium text-error text-sm">
              {errorText(again.error ?? methods.error)}
            </p>
          )}
          <Button size="lg" busy={again.isPending || methods.isPending} onClick={change}>
            {t`Bayar dengan metode ini`}
          </Button>
        </div>
      </Dialog>
      <Dialog open={asking} onClose={() => setAsking(false)} title={t`Batalkan pesanan ini?`} place="bottom">
        <div className="grid gap-4">
          <p className="text-muted leading-relaxed">{t`Kalau kamu sudah terlanjur membayar, uangnya tetap kami hitung dan kreditnya tetap masuk.`}</p>
          {cancel.error && (
            <p role="alert" className="font-medium text-error text-sm">
              {errorText(cancel.error)}
            </p>
          )}
          <Button variant="danger" size="lg" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {t`Ya, batalkan`}
          </Button>
          <Button variant="ghost" onClick={() => setAsking(false)}>
            {t`Jangan batalkan`}
          </Button>
        </div>
      </Dialog>
    </div>
  )
}
