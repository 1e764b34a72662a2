import { msg } from '@lingui/core/macro'
import type { ToolLabels } from '#tools/ui/page.ts'

/** The texts of the photo layout page. */
export const photoLayoutLabels: ToolLabels = {
  tagline: msg`4 sampai 8 foto dalam satu bingkai`,
  intro: msg`Pilih 4 sampai 8 foto, atur letaknya, lalu simpan atau cetak. Wajah tidak terpotong.`,
  action: msg`Susun foto`,
  steps: [
    {
      title: msg`Pilih 4 sampai 8 foto`,
      text: msg`Langsung tersusun, dan setiap wajah dijaga tetap kelihatan.`,
    },
    {
      title: msg`Atur sesukamu`,
      text: msg`Seret foto untuk menukarnya, geser dan perbesar di tempatnya. Pilih bentuk, jarak, sudut, latar, dan tulisan.`,
    },
    {
      title: msg`Simpan atau cetak`,
      text: msg`Untuk unggahan, atau PDF A4 dan 4R dengan ukuran milimeter yang tepat.`,
    },
  ],
  advice: msg`Foto dengan ruang di sekitar orangnya paling mudah masuk ke semua bentuk. Untuk cetak A4, pakai foto asli dari kamera.`,
  problems: {
    'upload.missing': msg`Pilih dulu gambarnya.`,
  },
}
