import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Tone } from '#ui/lists/cells.tsx'
import { reasonLabels } from '../../labels.ts'
import {
  type AttemptStatus,
  type DriverId,
  type OrderActor,
  type OrderStatus,
  orderStatus,
  type PaymentProblem,
  type RefundState,
  type VoucherKind,
} from '../../rules.ts'

export const orderTones: Record<OrderStatus, Tone> = {
  [orderStatus.awaiting]: 'warn',
  [orderStatus.unpaid]: 'plain',
  [orderStatus.paid]: 'good',
  [orderStatus.cancelled]: 'bad',
}

export const refundLabels: Record<RefundState, MessageDescriptor> = {
  any: msg`Ada pengembalian`,
  partly: msg`Dikembalikan sebagian`,
  fully: msg`Dikembalikan semua`,
}

export const driverLabels: Record<DriverId, MessageDescriptor> = {
  simulator: msg`Simulator`,
  manual: msg`Transfer manual`,
  xendit: msg`Xendit`,
}

/** Like `reasonLabels`, worded for staff instead of the buyer. */
export const orderReasonLabels: Record<string, MessageDescriptor> = {
  ...reasonLabels,
  cancelled_by_buyer: msg`Dibatalkan pembeli`,
}

export const actorLabels: Record<OrderActor, MessageDescriptor> = {
  buyer: msg`Pembeli`,
  gateway: msg`Gerbang pembayaran`,
  admin: msg`Admin`,
  system: msg`Sistem`,
}

export const attemptLabels: Record<AttemptStatus, MessageDescriptor> = {
  creating: msg`Sedang dibuat`,
  open: msg`Belum dibayar`,
  failed: msg`Gagal`,
  paid: msg`Dibayar`,
  expired: msg`Kedaluwarsa`,
  cancelled: msg({ message: 'Batal', context: 'status of an order' }),
}

export const problemLabels: Record<PaymentProblem, MessageDescriptor> = {
  wrong_amount: msg`Jumlah tidak sesuai`,
  wrong_currency: msg`Mata uang tidak sesuai`,
  paid_again: msg`Dibayar dua kali`,
  account_deleted: msg`Akun sudah dihapus`,
}

export const voucherLabels: Record<VoucherKind, MessageDescriptor> = {
  free_credits: msg`Kredit gratis`,
  percent_off: msg`Potongan persen`,
  amount_off: msg`Potongan rupiah`,
}

export const checkLabels: Record<string, MessageDescriptor> = {
  books: msg`Kredit, pesanan, dan pembayaran`,
  gateway: msg`Pesanan di gerbang pembayaran`,
  webhook: msg`Kabar dari gerbang pembayaran`,
}

export const valueLabels: Record<string, MessageDescriptor> = {
  'one of ours': msg`milik kita`,
  'an order': msg`sebuah pesanan`,
  'no payment': msg`tidak ada uang masuk`,
  'no answer': msg`tidak ada jawaban`,
  nothing: msg`tidak ada`,
  none: msg`tidak ada`,
  paid: msg`lunas`,
  completed: msg`lunas`,
  'payment_session.completed': msg`sesi selesai`,
  'payment_session.expired': msg`sesi berakhir`,
  'payment.capture': msg`uang masuk`,
  'payment.succeeded': msg`uang masuk`,
}

export const differenceLabels: Record<string, MessageDescriptor> = {
  ...problemLabels,
  account: msg`Saldo berbeda dari riwayat kredit`,
  grant: msg`Sisa kredit berbeda dari pemakaiannya`,
  entry: msg`Catatan kredit berbeda dari rinciannya`,
  balance_after: msg`Saldo berjalan salah`,
  unpaid_generation: msg`Pembuatan tanpa potongan kredit`,
  unrefunded_generation: msg`Kredit belum dikembalikan`,
  order_credits: msg`Kredit pesanan tidak sesuai`,
  purchase_without_order: msg`Pembelian tanpa pesanan`,
  paid_without_payment: msg`Lunas tanpa uang masuk`,
  payment_without_effect: msg`Uang masuk, pesanan belum lunas`,
  unlimited_days: msg`Masa tanpa batas tidak sesuai`,
  receipt_gap: msg`Nomor kuitansi terlewat`,
  invoice_gap: msg`Nomor invoice terlewat`,
  gateway_silent: msg`Gerbang pembayaran tidak menjawab`,
  not_paid_at_gateway: msg`Lunas di sini, belum di gerbang pembayaran`,
  payment_missed: msg`Lunas di gerbang pembayaran, belum di sini`,
  session_missing: msg`Sesi bayar tidak ditemukan di gerbang pembayaran`,
  unknown_session: msg`Sesi bayar yang tidak dikenal`,
  unknown_payment: msg`Pembayaran yang tidak dikenal`,
}
