import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { reasonLabels } from '#features/billing/labels.ts'
import {
  type DriverId,
  type OrderActor,
  type OrderStatus,
  orderStatus,
  type PaymentProblem,
  type VoucherKind,
} from '#features/billing/rules.ts'
import type { Duty, Role } from '#shared/roles.ts'
import type { SecurityEventKind } from '#shared/security-event.ts'
import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'
import type { Tone } from '#ui/lists/badge.tsx'

export const roleLabels: Record<Role, MessageDescriptor> = {
  user: msg`Pengguna biasa`,
  designer: msg`Desainer`,
  admin: msg`Admin`,
}

export const dutyLabels: Record<Duty, MessageDescriptor> = {
  finance: msg`Admin keuangan`,
  support: msg`Admin layanan`,
}

export const orderTones: Record<OrderStatus, Tone> = {
  [orderStatus.awaiting]: 'warn',
  [orderStatus.unpaid]: 'plain',
  [orderStatus.paid]: 'good',
  [orderStatus.cancelled]: 'bad',
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

export const securityEvents: Record<SecurityEventKind, { label: MessageDescriptor; tone: Tone }> = {
  sign_in: { label: msg`Masuk`, tone: 'good' },
  sign_in_failed: { label: msg`Gagal masuk`, tone: 'bad' },
  role_refused: { label: msg`Ditolak karena peran`, tone: 'bad' },
  staff_action: { label: msg`Tindakan staf`, tone: 'accent' },
  password_changed: { label: msg`Kata sandi diganti`, tone: 'warn' },
  password_reset: { label: msg`Kata sandi disetel ulang`, tone: 'warn' },
  email_change_requested: { label: msg`Ganti email diminta`, tone: 'plain' },
  email_changed: { label: msg`Email diganti`, tone: 'warn' },
  proof_failed: { label: msg`Konfirmasi gagal`, tone: 'bad' },
  second_factor_on: { label: msg`Dua langkah dinyalakan`, tone: 'good' },
  second_factor_off: { label: msg`Dua langkah dimatikan`, tone: 'warn' },
  passkey_added: { label: msg`Kunci sandi ditambahkan`, tone: 'good' },
  passkey_removed: { label: msg`Kunci sandi dihapus`, tone: 'warn' },
  provider_linked: { label: msg`Akun Google atau Facebook ditautkan`, tone: 'warn' },
  factor_removal_requested: { label: msg`Penghapusan langkah kedua diminta`, tone: 'warn' },
  factor_removal_cancelled: { label: msg`Penghapusan langkah kedua dibatalkan`, tone: 'good' },
  factors_removed: { label: msg`Langkah kedua dihapus`, tone: 'warn' },
  sessions_ended: { label: msg`Sesi diakhiri`, tone: 'plain' },
  data_exported: { label: msg`Data pribadi diunduh`, tone: 'plain' },
  account_read: { label: msg`Akun dilihat staf`, tone: 'accent' },
  staff_export: { label: msg`Berkas diekspor staf`, tone: 'accent' },
}

export const securityDetailLabels: Record<string, MessageDescriptor> = {
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
export const networkLabels: Record<string, MessageDescriptor> = {
  local: msg`Komputer server`,
  private: msg`Jaringan pribadi`,
}
export const backgroundLabels: Record<PassportPreset['background'], MessageDescriptor> = {
  red: msg`Merah`,
  blue: msg`Biru`,
  white: msg`Putih`,
  orange: msg`Oranye`,
  'birth-year': msg`Tahun lahir`,
}
