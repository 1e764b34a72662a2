import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'

/** The texts of the background removal page. */
export const backgroundRemovalLabels: ToolLabels = {
  tagline: msg`Pisahkan orang atau barang dari latarnya`,
  intro: msg`Potong rapi sampai ke helai rambut, lalu ganti latarnya sesukamu.`,
  action: msg`Hapus latar`,
  actionMany: msg({ message: 'Hapus latar {count} foto' }),
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
  advice: msg`Pakai foto yang jelas dan menghadap ke depan. Hindari posisi menyamping, kacamata, cahaya berlebihan, dan wajah yang tertutup.`,
  problems: {
    'upload.missing': msg`Pilih dulu gambarnya.`,
  },
}
