import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

import type { LedgerKind } from '#features/credits/rules.ts'
import { type MethodId, paymentMethods } from './payment-methods.ts'
import { type OrderStatus, orderStatus } from './rules.ts'

export const statusLabels: Record<OrderStatus, MessageDescriptor> = {
  [orderStatus.awaiting]: msg`Menunggu Konfirmasi`,
  [orderStatus.unpaid]: msg`Belum Bayar`,
  [orderStatus.paid]: msg`Lunas`,
  // English needs another word here than on the button of the same name.
  [orderStatus.cancelled]: msg({ message: 'Batal', context: 'status of an order' }),
}

export const methodName = (method: MethodId): string => paymentMethods[method].name

/** Reasons of order changes; an admin's own text stays unchanged. */
export const reasonLabels: Record<string, MessageDescriptor> = {
  placed: msg`Pesanan dibuat`,
  nothing_to_pay: msg`Tidak ada yang perlu dibayar`,
  paid: msg`Pembayaran diterima`,
  paid_late: msg`Pembayaran terlambat diterima`,
  payment_pending: msg`Pembayaran sedang diperiksa`,
  session_cancelled: msg`Pembayaran ditutup`,
  expired: msg`Waktu pembayaran habis`,
  cancelled_by_buyer: msg`Dibatalkan olehmu`,
  transfer_reported: msg`Bukti transfer dikirim`,
}

export const entryLabels: Record<LedgerKind, MessageDescriptor> = {
  purchase: msg`Pembelian paket`,
  voucher: msg({ message: 'Voucher', context: 'a single one' }),
  welcome: msg`Kredit selamat datang`,
  generation: msg`Pemakaian alat`,
  refund: msg`Pengembalian`,
  adjustment: msg`Penyesuaian`,
  expiry: msg`Masa berlaku habis`,
}
