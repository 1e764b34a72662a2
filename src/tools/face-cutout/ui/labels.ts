import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'

/** The texts of the face cut-out page. */
export const faceCutoutLabels: ToolLabels = {
  tagline: msg`Wajah siap tempel, lengkap dengan rambut`,
  intro: msg`Setiap kepala dipotong rapi dengan rambut, hijab, atau topinya, siap ditempel di mana saja.`,
  action: msg`Potong wajah`,
  actionMany: msg({ message: 'Potong wajah di {count} foto' }),
  steps: [
    {
      title: msg`Pilih foto`,
      text: msg`Foto sendiri atau foto bersama, sampai dua belas wajah sekaligus.`,
    },
    {
      title: msg`Ketuk wajahnya`,
      text: msg`Semua wajah disertakan; ketuk satu untuk melewatkannya. Pilih potongan ketat atau persegi, dengan garis tepi stiker kalau mau.`,
    },
    {
      title: msg`Unduh`,
      text: msg`Satu gambar transparan untuk setiap wajah, sekaligus dalam ZIP, atau semuanya di satu lembar.`,
    },
  ],
  advice: msg`Paling rapi dengan foto terang dan tajam, wajah tidak tertutup tangan atau orang lain.`,
}
