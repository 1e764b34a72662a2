import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'

/** The texts of the cartoon page. */
export const cartoonizerLabels: ToolLabels = {
  tagline: msg`Jadi komik, cat air, atau stiker`,
  intro: msg`Satu foto, delapan gaya gambar. Wajahmu tetap dikenali.`,
  action: msg`Jadikan kartun`,
  actionMany: msg({ message: 'Jadikan {count} foto kartun' }),
  steps: [
    {
      title: msg`Pilih foto`,
      text: msg`Selfie, foto bersama, atau foto apa saja. Bisa sampai 20 foto sekaligus.`,
    },
    {
      title: msg`Pilih gaya`,
      text: msg`Komik, anime, tinta, cat air, pop art, pensil, poster, atau piksel. Contohnya memakai fotomu sendiri.`,
    },
    {
      title: msg`Unduh atau jadikan stiker`,
      text: msg`Ganti gaya sesukamu, tanpa kredit lagi. Stikernya siap dipakai di WhatsApp.`,
    },
  ],
  advice: msg`Paling bagus dengan foto yang terang, wajah menghadap ke depan, dan tidak tertutup.`,
}
