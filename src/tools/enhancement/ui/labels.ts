import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'

/** The texts of the enhancer's page. */
export const enhancementLabels: ToolLabels = {
  tagline: msg`Lebih besar, tajam, dan bersih`,
  intro: msg`Perbesar foto kecil, bersihkan bintik dan kotak JPEG, lalu rapikan cahaya dan warnanya.`,
  action: msg`Perjelas foto`,
  actionMany: msg({ message: 'Perjelas {count} foto' }),
  price(credits) {
    const double = 2 * credits
    return msg`${credits} kredit (2x), ${double} (4x)`
  },
  steps: [
    {
      title: msg`Pilih foto`,
      text: msg`Dari galeri, kamera, atau tempel langsung. Bisa sampai 20 foto sekaligus.`,
    },
    {
      title: msg`Pilih ukurannya`,
      text: msg`Tetap, dua kali, atau empat kali lebih besar.`,
    },
    {
      title: msg`Atur sesukamu`,
      text: msg`Bintik, ketajaman, cahaya, dan warna bisa diubah lagi tanpa kredit.`,
    },
  ],
  advice: msg`Pakai berkas asli, bukan tangkapan layar. Foto yang sangat buram menjadi lebih bersih, tetapi detail yang hilang tidak kembali.`,
  problems: {
    'enhancement.invented_size': msg`Detail baru dari AI hanya untuk hasil sampai 4 megapiksel. Pilih ukuran yang lebih kecil, atau matikan.`,
    'upload.too_many_pixels': msg`Hasilnya akan lebih dari 50 megapiksel. Pilih pembesaran yang lebih kecil.`,
  },
}
