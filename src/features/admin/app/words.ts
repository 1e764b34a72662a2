import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Role } from '#contract/roles.ts'
import type { SecurityEventKind } from '#features/audit/rules.ts'
import { reasonLabels } from '#features/billing/labels.ts'
import {
  type DriverId,
  type OrderActor,
  type OrderStatus,
  orderStatus,
  type PaymentProblem,
  type VoucherKind,
} from '#features/billing/rules.ts'
import type { Tone } from '#ui/admin/badge.tsx'

export const roleWords: Record<Role, MessageDescriptor> = {
  user: msg`Pengguna biasa`,
  designer: msg`Desainer`,
  admin: msg`Admin`,
}

export const orderTones: Record<OrderStatus, Tone> = {
  [orderStatus.awaiting]: 'warn',
  [orderStatus.unpaid]: 'plain',
  [orderStatus.paid]: 'good',
  [orderStatus.cancelled]: 'bad',
}

export const driverWords: Record<DriverId, MessageDescriptor> = {
  simulator: msg`Simulator`,
  manual: msg`Transfer manual`,
  xendit: msg`Xendit`,
}

/** As `reasonLabels`, told to somebody else than the buyer. */
export const changeWords: Record<string, MessageDescriptor> = {
  ...reasonLabels,
  cancelled_by_buyer: msg`Dibatalkan pembeli`,
}

export const actorWords: Record<OrderActor, MessageDescriptor> = {
  buyer: msg`Pembeli`,
  gateway: msg`Gerbang pembayaran`,
  admin: msg`Admin`,
  system: msg`Sistem`,
}

export const problemLabels: Record<PaymentProblem, MessageDescriptor> = {
  wrong_amount: msg`Jumlah tidak sesuai`,
  wrong_currency: msg`Mata uang tidak sesuai`,
  paid_again: msg`Dibayar dua kali`,
  account_deleted: msg`Akun sudah dihapus`,
}

export const voucherWords: Record<VoucherKind, MessageDescriptor> = {
  free_credits: msg`Kredit gratis`,
  percent_off: msg`Potongan persen`,
  amount_off: msg`Potongan rupiah`,
}

export const securityWords: Record<SecurityEventKind, MessageDescriptor> = {
  sign_in: msg`Masuk`,
  sign_in_failed: msg`Gagal masuk`,
  role_refused: msg`Ditolak karena peran`,
  staff_action: msg`Tindakan staf`,
  password_changed: msg`Kata sandi diganti`,
  password_reset: msg`Kata sandi disetel ulang`,
  email_change_requested: msg`Ganti email diminta`,
  email_changed: msg`Email diganti`,
  proof_failed: msg`Konfirmasi gagal`,
  second_factor_on: msg`Dua langkah dinyalakan`,
  second_factor_off: msg`Dua langkah dimatikan`,
  passkey_added: msg`Kunci sandi ditambahkan`,
  passkey_removed: msg`Kunci sandi dihapus`,
  factor_removal_requested: msg`Penghapusan langkah kedua diminta`,
  factor_removal_cancelled: msg`Penghapusan langkah kedua dibatalkan`,
  factors_removed: msg`Langkah kedua dihapus`,
  sessions_ended: msg`Sesi diakhiri`,
  data_exported: msg`Data pribadi diunduh`,
  account_read: msg`Akun dilihat staf`,
  staff_export: msg`Berkas diekspor staf`,
}
/** How somebody signed in, or which sessions were ended. */
export const detailWords: Record<string, MessageDescriptor> = {
  password: msg`Kata sandi`,
  google: msg`Google`,
  facebook: msg`Facebook`,
  passkey: msg({ message: 'Kunci sandi', context: 'way to sign in' }),
  link: msg`Tautan email`,
  code: msg`Kode dua langkah`,
  recovery_code: msg({ message: 'Kode pemulihan', context: 'way to sign in' }),
  others: msg`Perangkat lain`,
  admin: msg`Oleh admin`,
  reset: msg`Setelah setel ulang`,
}
export const networkWords: Record<string, MessageDescriptor> = {
  local: msg`Komputer server`,
  private: msg`Jaringan pribadi`,
}
export const securityTones: Record<SecurityEventKind, Tone> = {
  sign_in: 'good',
  sign_in_failed: 'bad',
  role_refused: 'bad',
  staff_action: 'accent',
  password_changed: 'warn',
  password_reset: 'warn',
  email_change_requested: 'plain',
  email_changed: 'warn',
  proof_failed: 'bad',
  second_factor_on: 'good',
  second_factor_off: 'warn',
  passkey_added: 'good',
  passkey_removed: 'warn',
  factor_removal_requested: 'warn',
  factor_removal_cancelled: 'good',
  factors_removed: 'warn',
  sessions_ended: 'plain',
  data_exported: 'plain',
  account_read: 'accent',
  staff_export: 'accent',
}
