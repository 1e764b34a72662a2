import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Role } from '#contract/roles.ts'
import type { DriverId, OrderActor, OrderStatus, PaymentProblem, VoucherKind } from '#features/billing/contract.ts'
import type { LedgerKind } from '#features/credits/contract.ts'
import type { Tone } from './ui/badge.tsx'

export const roleWords: Record<Role, MessageDescriptor> = {
  user: msg`Pengguna biasa`,
  designer: msg`Desainer`,
  admin: msg`Admin`,
}

/** The specification's words (§4). */
export const orderWords: Record<OrderStatus, MessageDescriptor> = {
  0: msg`Menunggu Konfirmasi`,
  1: msg`Belum Bayar`,
  2: msg`Lunas`,
  3: msg`Batal`,
}
export const orderTones: Record<OrderStatus, Tone> = { 0: 'warn', 1: 'plain', 2: 'good', 3: 'bad' }

export const driverWords: Record<DriverId, MessageDescriptor> = {
  simulator: msg`Simulator`,
  manual: msg`Transfer manual`,
  xendit: msg`Xendit`,
}

export const actorWords: Record<OrderActor, MessageDescriptor> = {
  buyer: msg`Pembeli`,
  gateway: msg`Gerbang pembayaran`,
  admin: msg`Admin`,
  system: msg`Sistem`,
}

/** Why an order changed; what an admin wrote stands as it is. */
export const changeWords: Record<string, MessageDescriptor> = {
  placed: msg`Pesanan dibuat`,
  nothing_to_pay: msg`Tidak ada yang perlu dibayar`,
  paid: msg`Pembayaran diterima`,
  paid_late: msg`Pembayaran terlambat diterima`,
  payment_pending: msg`Pembayaran sedang diperiksa`,
  session_cancelled: msg`Pembayaran ditutup`,
  expired: msg`Waktu pembayaran habis`,
  cancelled_by_buyer: msg`Dibatalkan pembeli`,
  transfer_reported: msg`Bukti transfer dikirim`,
}

export const problemWords: Record<PaymentProblem, MessageDescriptor> = {
  wrong_amount: msg`Jumlah tidak sesuai`,
  wrong_currency: msg`Mata uang tidak sesuai`,
  paid_again: msg`Dibayar dua kali`,
  account_deleted: msg`Akun sudah dihapus`,
}

export const ledgerWords: Record<LedgerKind, MessageDescriptor> = {
  purchase: msg`Pembelian paket`,
  voucher: msg`Voucher`,
  welcome: msg`Kredit selamat datang`,
  generation: msg`Pembuatan gambar`,
  refund: msg`Pengembalian`,
  adjustment: msg`Penyesuaian`,
  expiry: msg`Masa berlaku habis`,
}

export const voucherWords: Record<VoucherKind, MessageDescriptor> = {
  free_credits: msg`Kredit gratis`,
  percent_off: msg`Potongan persen`,
  amount_off: msg`Potongan rupiah`,
}
