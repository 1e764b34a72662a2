import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { toolPage } from '#tools/ui/page.ts'
import { type SwapFaceInputs, type SwapFaceParams, swapFaceTool } from '../contract/definition.ts'
import { type SwapState, swapStage } from './stage-state.ts'

export const swapFacePage = toolPage<SwapFaceParams, SwapFaceInputs, SwapState>({
  definition: swapFaceTool,
  icon: {
    line: (
      <>
        <circle cx="14" cy="25" r="9.5" />
        <path d="M14 8.500c6-5 15-4.5 20 .5m0-6v6h-6M34 40.500c-6 5-15 4.5-20-.5m0 6v-6h6" />
      </>
    ),
    fill: <circle cx="34" cy="24" r="10" />,
  },
  labels: {
    tagline: msg`Tukar wajah dengan izin pemiliknya`,
    intro: msg`Pindahkan wajah ke foto lain. Ekspresi, cahaya, rambut, dan kacamata di foto tujuan tetap.`,
    action: msg`Tukar wajah`,
    actionMany: msg({ message: 'Tukar wajah di {count} foto' }),
    price: (credits) => msg`${credits} kredit per wajah`,
    steps: [
      {
        title: msg`Pilih foto tujuan dan wajah baru`,
        text: msg`Sampai 20 foto tujuan, dan sampai enam foto berisi wajah yang mau dipindahkan.`,
      },
      {
        title: msg`Pasangkan wajahnya`,
        text: msg`Seret wajah baru ke wajah di foto tujuan, atau ketuk keduanya. Bisa beberapa sekaligus.`,
      },
      {
        title: msg`Pastikan semua setuju`,
        text: msg`Hanya untuk orang dewasa yang sudah mengizinkan. Setiap hasil ditandai sebagai editan AI di dalam berkasnya.`,
      },
    ],
    advice: msg`Paling bagus kalau kedua wajah menghadap ke depan, terang, tajam, dan tidak tertutup. Sebaiknya tanpa kacamata: kacamata wajah baru ikut pindah kalau wajah di foto tujuan tidak berkacamata. Kacamata di foto tujuan tetap, dan bisa dilepas supaya hasilnya lebih mirip wajah baru.`,
    problems: {
      'swap.consent': msg`Centang dulu: semua orang di foto ini setuju.`,
      'engine.face_not_chosen': msg`Ketuk dulu wajah yang mau diganti.`,
      'swap.pairs': msg`Pasangan wajahnya tidak cocok lagi dengan fotonya. Pasangkan lagi, ya.`,
    },
  },
  showcase: 'pair',
  panel: lazyPart(() => import('./panel.tsx'), 'SwapFacePanel'),
  stage: {
    component: lazyPart(() => import('./panel.tsx'), 'SwapFaceStage'),
    ...swapStage,
  },
})
