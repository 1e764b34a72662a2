import type { PagePath } from '#shared/pages.ts'

/**
 * Titles and descriptions for search engines; only the build reads them. A missing language has no
 * screen.
 */
export const publicPages: Partial<Record<PagePath, { id: string; en?: string }>> = {
  '/': {
    id: 'Edit foto dengan AI langsung dari HP: hapus latar, rapikan, dan unduh dalam hitungan detik. Bayar per hasil dengan kredit.',
    en: 'Edit photos with AI on your phone: remove backgrounds, tidy up, and download within seconds. Pay per result with credits.',
  },
  '/pricing': {
    id: 'Harga kredit Rupa: beli sekali, pakai 30 hari, tanpa perpanjangan otomatis. Bayar per hasil yang jadi.',
    en: 'What Rupa’s credits cost: buy once, use for 30 days, no automatic renewal. Pay for finished results only.',
  },
  '/how-to-use': {
    id: 'Cara mengedit foto dengan Rupa: pilih foto, lihat pratinjaunya, lalu unduh hasilnya.',
    en: 'How to edit photos with Rupa: choose a photo, look at its preview, and download the result.',
  },
  '/customize-edit': {
    id: 'Ceritakan hasil yang kamu mau, dan desainer Rupa mengerjakan fotomu dengan tangan.',
    en: 'Say what you want your photo to become, and Rupa’s designers edit it by hand.',
  },
  '/privacy-policy': {
    id: 'Data apa yang disimpan Rupa, untuk apa, berapa lama, dan bagaimana kamu menghapusnya.',
    en: 'What data Rupa keeps, what for, for how long, and how you delete it.',
  },
  '/terms-of-service': {
    id: 'Syarat memakai Rupa: akun, kredit, pembayaran, pengembalian, dan hasil editmu.',
    en: 'The terms of using Rupa: accounts, credits, payments, refunds, and your results.',
  },
  '/login': {
    id: 'Masuk ke akun Rupa untuk melanjutkan edit foto, melihat riwayat, dan memakai kreditmu.',
  },
  '/register': {
    id: 'Daftar gratis di Rupa dan langsung dapat kredit untuk mencoba edit foto dengan AI.',
  },
  '/forgot-password': {
    id: 'Lupa kata sandi akun Rupa? Minta tautan untuk membuat kata sandi baru lewat email.',
  },
}
