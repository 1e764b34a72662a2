import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'
import { leastSeconds } from '../contract/definition.ts'

/** The texts of the video background removal page. */
export const videoBackgroundRemovalLabels: ToolLabels = {
  tagline: msg`Video tanpa latar, suara tetap`,
  intro: msg`Orang atau bendanya tetap, latarnya pergi. Suara, durasi, dan jumlah gambarnya tidak berubah.`,
  action: msg`Hapus latar video`,
  price(credits) {
    const least = credits * leastSeconds
    return msg`${credits} kredit per detik, minimal ${least}`
  },
  steps: [
    {
      title: msg`Pilih video`,
      text: msg`MP4, MOV, atau WebM, sampai 60 detik dan 100 MB. Harganya langsung kelihatan, sebelum ada yang diunggah: tiap detik, atau tiap 30 gambar kalau sedetiknya lebih dari itu.`,
    },
    {
      title: msg`Coba 3 detik pertama`,
      text: msg`Pratinjaunya gratis. Unggahan yang terputus dilanjutkan, tidak diulang.`,
    },
    {
      title: msg`Putar dan unduh`,
      text: msg`WebM transparan untuk ditempel di video lain, atau MP4 dengan warna, latar buram, atau fotomu sendiri.`,
    },
  ],
  advice: msg`Paling rapi kalau orangnya terang, tidak terlalu kecil, dan kameranya tidak berputar cepat. Benda bisa juga, kalau menonjol dari latarnya.`,
}
