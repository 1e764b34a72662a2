import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'

/** The texts of the object removal page. */
export const objectRemovalLabels: ToolLabels = {
  tagline: msg`Hapus yang mengganggu, sisanya tetap`,
  intro: msg`Sapu benda, orang lewat, atau goresan. Latarnya disambung lagi seolah tidak pernah ada.`,
  action: msg`Hapus objek`,
  actionMany: msg({ message: 'Hapus objek di {count} foto' }),
  again: msg`Hapus yang lain juga`,
  steps: [
    {
      title: msg`Pilih foto`,
      text: msg`Dari galeri, kamera, atau tempel langsung. Bisa sampai 20 foto sekaligus.`,
    },
    {
      title: msg`Sapu yang mau dihapus`,
      text: msg`Pakai kuas, atau ketuk bendanya. Sapu bayangannya juga; beberapa tempat sekaligus boleh. Foto seukuran bisa ditandai sekaligus.`,
    },
    {
      title: msg`Tekan Hapus objek`,
      text: msg`Bagian lain dari fotomu tidak berubah sedikit pun.`,
    },
  ],
  advice: msg`Sapu sedikit melewati tepi bendanya, termasuk bayangannya. Benda kecil di depan latar yang luas hasilnya paling rapi.`,
}
