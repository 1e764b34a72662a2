import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/**
 * What can be changed, by the first half of an action's name; other languages have another word for
 * many of it.
 */
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
  generation: msg({ message: 'Pembuatan', context: 'a single one' }),
  announcement: msg({ message: 'Pengumuman', context: 'a single one' }),
  claim: msg({ message: 'Klaim', context: 'a single one' }),
  custom_edit: msg({ message: 'Permintaan khusus', context: 'a single one' }),
} satisfies Record<string, MessageDescriptor>

export const subjectLabels: Record<string, MessageDescriptor> = { ...kindLabels, passport_preset: kindLabels.preset }

/** What staff did, by the name that the log has for it. */
export const actionLabels: Record<string, MessageDescriptor> = {
  'account.status_changed': msg`Akun diubah`,
  'account.factors_reset': msg`Langkah kedua direset`,
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
  'generation.run_again': msg`Dijalankan lagi`,
  'claim.accepted': msg`Klaim diterima`,
  'claim.declined': msg`Klaim ditolak`,
  'claim.picture_opened': msg`Gambar klaim dibuka`,
  'custom_edit.taken': msg`Permintaan diambil`,
  'custom_edit.returned': msg`Permintaan dikembalikan`,
  'custom_edit.done': msg`Permintaan selesai`,
  'custom_edit.declined': msg`Permintaan ditolak`,
  'custom_edit.results_added': msg`Hasil diunggah`,
  'custom_edit.result_removed': msg`Hasil dihapus`,
  'custom_edit.picture_opened': msg`Gambar permintaan dibuka`,
}
