import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'

/** The texts of the colorizer page. */
export const colorizerLabels: ToolLabels = {
  tagline: msg`Warna untuk foto hitam putih`,
  intro: msg`Foto lama jadi berwarna dalam tiga pilihan. Kamu bisa memberi tahu warna baju, kulit, atau latarnya.`,
  action: msg`Warnai foto`,
  actionMany: msg({ message: 'Warnai {count} foto' }),
  steps: [
    {
      title: msg`Pilih foto hitam putih`,
      text: msg`Juga yang sudah menguning atau pudar. Bisa sampai 20 foto sekaligus.`,
    },
    {
      title: msg`Tandai warna yang kamu tahu`,
      text: msg`Pilih warna lalu ketuk atau sapu tempatnya. Warnanya menyebar sampai ke tepi bendanya.`,
    },
    {
      title: msg`Pilih satu dari tiga`,
      text: msg`Tambah petunjuk warna atau ubah kepekatannya sesukamu, tanpa kredit lagi.`,
    },
  ],
  advice: msg`Pindai atau potret foto lamanya tegak lurus, tanpa pantulan cahaya. Wajah yang jelas membantu menemukan warna kulit.`,
}
