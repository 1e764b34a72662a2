import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { problemLabels } from '../labels.ts'

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
  gateway_silent: msg`Gerbang pembayaran tidak menjawab`,
  not_paid_at_gateway: msg`Lunas di sini, belum di gerbang pembayaran`,
  payment_missed: msg`Lunas di gerbang pembayaran, belum di sini`,
  session_missing: msg`Sesi bayar tidak ditemukan di gerbang pembayaran`,
  unknown_session: msg`Sesi bayar yang tidak dikenal`,
  unknown_payment: msg`Pembayaran yang tidak dikenal`,
}
