import type { PagePath } from '#contract/pages.ts'

interface PublicPage {
  /** What search engines and messengers say of it. Absent languages: it has no screen in them. */
  description: { id: string; en?: string }
}

/**
 * Pages that are open to everybody, beside those of the tools. The build alone reads their texts,
 * so no catalogue carries them to phones.
 */
export const publicPages: Partial<Record<PagePath, PublicPage>> = {
  '/': {
    description: {
      id: 'Edit foto dengan AI langsung dari HP: hapus latar, rapikan, dan unduh dalam hitungan detik. Bayar per hasil dengan kredit.',
      en: 'Edit photos with AI on your phone: remove backgrounds, tidy up, and download within seconds. Pay per result with credits.',
    },
  },
  '/pricing': {
    description: {
      id: 'Harga kredit Rupa: beli sekali, pakai 30 hari, tanpa perpanjangan otomatis. Bayar per hasil yang jadi.',
      en: 'What Rupa’s credits cost: buy once, use for 30 days, no automatic renewal. Pay for finished results only.',
    },
  },
  '/how-to-use': {
    description: {
      id: 'Cara mengedit foto dengan Rupa: pilih foto, lihat pratinjaunya, lalu unduh hasilnya.',
      en: 'How to edit photos with Rupa: choose a photo, look at its preview, and download the result.',
    },
  },
  '/customize-edit': {
    description: {
      id: 'Ceritakan hasil yang kamu mau, dan desainer Rupa mengerjakan fotomu dengan tangan.',
      en: 'Say what you want your photo to become, and Rupa’s designers edit it by hand.',
    },
  },
  '/privacy-policy': {
    description: {
      id: 'Data apa yang disimpan Rupa, untuk apa, berapa lama, dan bagaimana kamu menghapusnya.',
      en: 'What data Rupa keeps, what for, for how long, and how you delete it.',
    },
  },
  '/terms-of-service': {
    description: {
      id: 'Syarat memakai Rupa: akun, kredit, pembayaran, pengembalian, dan hasil editmu.',
      en: 'The terms of using Rupa: accounts, credits, payments, refunds, and your results.',
    },
  },
  '/login': {
    description: { id: 'Masuk ke akun Rupa untuk melanjutkan edit foto, melihat riwayat, dan memakai kreditmu.' },
  },
  '/register': {
    description: { id: 'Daftar gratis di Rupa dan langsung dapat kredit untuk mencoba edit foto dengan AI.' },
  },
  '/forgot-password': {
    description: { id: 'Lupa kata sandi akun Rupa? Minta tautan untuk membuat kata sandi baru lewat email.' },
  },
}
