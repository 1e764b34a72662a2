import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'

/** The texts of the headshot page. */
export const headshotLabels: ToolLabels = {
  tagline: msg`Dari selfie jadi foto profil studio`,
  intro: msg`Satu selfie jadi foto profil dengan latar dan cahaya studio. Wajahmu tetap wajahmu.`,
  action: msg`Buat headshot`,
  actionMany: msg({ message: 'Buat headshot dari {count} foto' }),
  price: (credits) => msg`${credits} kredit per wajah`,
  steps: [
    {
      title: msg`Pilih selfie`,
      text: msg`Wajah menghadap ke depan, bahu ikut terlihat. Foto bersama juga bisa: ketuk wajah yang mau dibuatkan.`,
    },
    {
      title: msg`Pilih latar`,
      text: msg`Kertas studio, cahaya jendela, kantor, taman, dan lainnya. Contohnya memakai fotomu sendiri.`,
    },
    {
      title: msg`Atur lalu simpan`,
      text: msg`Latar, potongan, cahaya, dan retus bisa diganti sesukamu, tanpa kredit lagi.`,
    },
  ],
  advice: msg`Paling bagus dengan foto yang terang dan tajam, tanpa kacamata, dan dengan ruang di atas kepala serta di sekitar bahu.`,
  problems: {
    'headshot.faces': msg`Wajah yang dipilih tidak cocok lagi dengan fotonya. Pilih lagi, ya.`,
    'headshot.one_face': msg`Gaya ini untuk satu wajah saja. Pilih satu wajah dulu.`,
  },
}
