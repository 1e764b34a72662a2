import { msg } from '@lingui/core/macro'

/** The sentences of the background removal page. */
export const backgroundRemovalWords = {
  action: msg`Hapus latar`,
  actionMany: msg({ message: 'Hapus latar {count} foto' }),
  tagline: msg`Potong rapi sampai ke helai rambut, lalu ganti latarnya sesukamu.`,
  steps: [
    {
      title: msg`Pilih foto`,
      text: msg`Dari galeri, kamera, atau tempel langsung. Bisa sampai 20 foto sekaligus.`,
    },
    {
      title: msg`Tekan Hapus latar`,
      text: msg`Biasanya selesai dalam beberapa detik. Kamu boleh menutup halaman ini.`,
    },
    {
      title: msg`Ganti latar dan unduh`,
      text: msg`Warna, buram, atau fotomu sendiri. Mengubah hasil tidak memakai kredit lagi.`,
    },
  ],
} as const
