import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'

/** The texts of the object removal page. */
export const objectRemovalLabels: ToolLabels = {
  tagline: msg`Hapus yang mengganggu, sisanya tetap`,
  intro: msg`Sapu benda, orang lewat, atau goresan. Latarnya disambung lagi seolah tidak pernah ada.`,
  action: msg`Hapus objek`,
  again: msg`Hapus yang lain juga`,
  steps: [
    {
      title: msg`Pilih foto`,
      text: msg`Dari galeri, kamera, atau tempel langsung.`,
    },
    {
      title: msg`Sapu yang mau dihapus`,
      text: msg`Pakai kuas, atau ketuk bendanya. Sapu bayangannya juga; beberapa tempat sekaligus boleh.`,
    },
    {
      title: msg`Tekan Hapus objek`,
      text: msg`Bagian lain dari fotomu tidak berubah sedikit pun.`,
    },
  ],
  advice: msg`Sapu sedikit melewati tepi bendanya, termasuk bayangannya. Benda kecil di depan latar yang luas hasilnya paling rapi.`,
}
