import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'

/** The texts of the background diffusion page. */
export const backgroundDiffusionLabels: ToolLabels = {
  tagline: msg`Suasana baru untuk foto yang sama`,
  intro: msg`Tulis suasananya atau pilih satu. Orang atau bendanya tetap, latarnya jadi baru, dengan cahaya dan bayangan yang pas.`,
  action: msg`Buat latar baru`,
  actionMany: msg({ message: 'Buat latar baru untuk {count} foto' }),
  steps: [
    {
      title: msg`Pilih foto`,
      text: msg`Potret, produk, atau hewan kesayangan.`,
    },
    {
      title: msg`Pilih suasananya`,
      text: msg`Tulis, misalnya “kafe hangat di sore hari”, atau pilih dari contoh.`,
    },
    {
      title: msg`Pilih satu dari empat`,
      text: msg`Geser dan ubah ukuran orang atau bendanya sesukamu, tanpa kredit lagi.`,
    },
  ],
  advice: msg`Paling bagus dengan orang atau benda yang seluruhnya tajam dan cahayanya tidak terlalu keras.`,
}
