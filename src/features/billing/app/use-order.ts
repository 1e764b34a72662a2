import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refresh } from '#client/query.ts'
import { orderStatus } from '../rules.ts'
import type { OrderView } from '../schemas.ts'
import { checkOrder, orderQuery, rememberOrder } from './api.ts'

/** Polls while the order may change; server events bring changes sooner. */
export function useOrder(id: string) {
  const client = useQueryClient()
  const query = useQuery({ ...orderQuery(id), enabled: id !== '' })
  const paid = query.data?.status === orderStatus.paid
  useEffect(() => {
    if (paid) void refresh(client, ['credits'])
  }, [client, paid])
  return query
}

/** Makes the server read the gateway; `on-return`: whenever this page is visible again. */
export function useGatewayCheck(id: string, when: 'at-once' | 'on-return' | 'never'): void {
  const client = useQueryClient()
  useEffect(() => {
    if (id === '' || when === 'never') return
    const check = () => {
      checkOrder(id).then(
        (order) => rememberOrder(client, order),
        () => {},
      )
    }
    if (when === 'at-once') {
      check()
      return
    }
    const onSeen = () => document.visibilityState === 'visible' && check()
    document.addEventListener('visibilitychange', onSeen)
    return () => document.removeEventListener('visibilitychange', onSeen)
  }, [client, id, when])
}

/** A wrong payment has its own notice; no other text may claim that no money was taken. */
const isWrong = ({ moneyProblem }: OrderView) => moneyProblem === 'wrong_amount' || moneyProblem === 'wrong_currency'

/** Null if the payment itself is shown. */
export function useOrderExplanation(): (order: OrderView) => string | null {
  const { t } = useLingui()
  return (order) => {
    if (order.status === orderStatus.awaiting) {
      return order.proofSent
        ? t`Bukti transfermu sudah kami terima. Kredit masuk begitu kami selesai memeriksanya.`
        : t`Pembayaranmu sedang diperiksa. Kredit masuk begitu terkonfirmasi.`
    }
    if (order.status === orderStatus.cancelled) {
      const last = order.history.at(-1)
      if (last?.by === 'admin') {
        const { reason } = last
        return t`Pesanan ini belum bisa kami terima. Alasannya: ${reason}`
      }
      if (last?.reason === 'expired' && isWrong(order)) return null
      return last?.reason === 'expired'
        ? t`Waktu pembayarannya habis. Tidak ada uang yang diambil. Kamu bisa membayar lagi.`
        : t`Pesanan ini dibatalkan. Kamu bisa membayar lagi kapan saja.`
    }
    if (order.payment?.status === 'open' || isWrong(order)) return null
    if (order.payment?.status === 'creating') return t`Halaman pembayarannya belum siap. Coba bayar lagi sebentar lagi.`
    return t`Pembayarannya belum berhasil. Tidak ada kredit yang hilang, silakan coba lagi.`
  }
}
