import { useLingui } from '@lingui/react/macro'
import { orderStatus } from '../rules.ts'
import type { OrderView } from '../types.ts'

/** Wrong money came: a notice tells of it, and nothing else shall say that no money was taken. */
const isWrong = ({ moneyProblem }: OrderView) => moneyProblem === 'wrong_amount' || moneyProblem === 'wrong_currency'

/**
 * Where an order stands, in a sentence; null while there is something to pay and nothing to say.
 */
export function useOrderStory(): (order: OrderView) => string | null {
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
