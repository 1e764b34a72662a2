import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { TimelineSection } from '#features/admin/contributions.ts'
import type { SecurityEventKind } from '#shared/security-event.ts'
import type { Tone } from '#ui/lists/cells.tsx'

/** By the first half of an action's name. */
export const kindLabels = {
  account: msg`Akun`,
  order: msg({ message: 'Pesanan', context: 'a single one' }),
  payment: msg`Pembayaran`,
  difference: msg`Selisih`,
  credits: msg`Kredit`,
  approval: msg`Persetujuan`,
  voucher: msg({ message: 'Voucher', context: 'a single one' }),
  package: msg`Paket`,
  exchange_rate: msg`Kurs`,
  task: msg`Tugas`,
  provider: msg`Mesin`,
  tool: msg({ message: 'Alat', context: 'a single one' }),
  preset: msg`Preset pasfoto`,
  location: msg({ message: 'Tempat', context: 'a single one' }),
  generation: msg({ message: 'Pembuatan', context: 'a single one' }),
  announcement: msg({ message: 'Pengumuman', context: 'a single one' }),
  claim: msg({ message: 'Permintaan kredit kembali', context: 'a single one' }),
  content_report: msg({ message: 'Laporan gambar', context: 'a single one' }),
  custom_edit: msg({ message: 'Permintaan khusus', context: 'a single one' }),
} satisfies Record<string, MessageDescriptor>

export const subjectLabels: Record<string, MessageDescriptor> = { ...kindLabels, passport_preset: kindLabels.preset }

export const actionLabels: Record<string, MessageDescriptor> = {
  'account.status_changed': msg`Akun diubah`,
  'account.factors_reset': msg`Langkah kedua disetel ulang`,
  'account.sessions_ended': msg`Sesi diakhiri admin`,
  'account.noted': msg`Catatan akun diubah`,
  'account.link_sent': msg`Tautan dikirim`,
  'order.confirmed': msg`Pesanan dikonfirmasi`,
  'order.rejected': msg`Pesanan dibatalkan`,
  'order.refunded': msg`Uang pesanan dikembalikan`,
  'order.proof_opened': msg`Bukti transfer dibuka`,
  'payment.settled': msg`Pembayaran diselesaikan`,
  'difference.settled': msg`Selisih diselesaikan`,
  'credits.adjusted': msg`Kredit diatur`,
  'approval.requested': msg`Persetujuan diminta`,
  'approval.approved': msg`Disetujui orang kedua`,
  'approval.refused': msg`Ditolak orang kedua`,
  'approval.expired': msg`Persetujuan kedaluwarsa`,
  'voucher.created': msg`Voucher dibuat`,
  'voucher.changed': msg`Voucher diubah`,
  'package.changed': msg`Paket diubah`,
  'exchange_rate.changed': msg`Kurs diubah`,
  'tool.price_changed': msg`Harga alat diubah`,
  'tool.settings_changed': msg`Pengaturan alat diubah`,
  'task.order_changed': msg`Urutan mesin diubah`,
  'provider.settings_changed': msg`Pengaturan mesin diubah`,
  'provider.tested': msg`Mesin dicoba`,
  'announcement.created': msg`Pengumuman dibuat`,
  'announcement.changed': msg`Pengumuman diubah`,
  'mail_texts.changed': msg`Isi email diubah`,
  'preset.changed': msg`Preset diubah`,
  'location.added': msg`Tempat ditambahkan`,
  'location.changed': msg`Tempat diubah`,
  'location.removed': msg`Tempat dihapus`,
  'generation.run_again': msg`Dijalankan lagi`,
  'claim.accepted': msg`Permintaan kredit kembali diterima`,
  'claim.declined': msg`Permintaan kredit kembali ditolak`,
  'claim.picture_opened': msg`Gambar permintaan kredit kembali dibuka`,
  'content_report.decided': msg`Laporan gambar diputuskan`,
  'content_report.picture_opened': msg`Gambar yang dilaporkan dibuka`,
  'account.age_asked_again': msg`Tahun lahir ditanyakan lagi`,
  'account.closed': msg`Akun ditutup dan dihapus`,
  'guardian.consented': msg`Orang tua atau wali memberi izin`,
  'account.limited': msg`Akun dibatasi`,
  'account.limit_ended': msg`Batas akun diakhiri`,
  'custom_edit.taken': msg`Permintaan diambil`,
  'custom_edit.returned': msg`Permintaan dikembalikan`,
  'custom_edit.done': msg`Permintaan selesai`,
  'custom_edit.declined': msg`Permintaan ditolak`,
  'custom_edit.results_added': msg`Hasil diunggah`,
  'custom_edit.result_removed': msg`Hasil dihapus`,
  'custom_edit.picture_opened': msg`Gambar permintaan dibuka`,
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
  webhook_added: { label: msg`Webhook ditambahkan`, tone: 'warn' },
  webhook_secret_rotated: { label: msg`Kunci webhook diganti`, tone: 'warn' },
  webhook_removed: { label: msg`Webhook dihapus`, tone: 'plain' },
  api_key_added: { label: msg`Kunci API dibuat`, tone: 'warn' },
  api_key_revoked: { label: msg`Kunci API dicabut`, tone: 'plain' },
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

export const securitySection: TimelineSection = {
  name: msg`Keamanan`,
  wordsOf: ({ what, detail }, { text }) => [
    text(securityEvents[what as keyof typeof securityEvents]?.label, what),
    detail && text(securityDetailLabels[detail], detail),
  ],
}

export const staffSection: TimelineSection = {
  name: msg`Oleh staf`,
  wordsOf: ({ what, state, detail }, { text }) => [
    text(actionLabels[what], what),
    [state, detail].filter(Boolean).join(' · '),
  ],
}
