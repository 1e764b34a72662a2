import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { toolPage } from '#tools/ui/page.ts'
import { type PhotoLayoutInputs, type PhotoLayoutParams, photoLayout } from '../contract/definition.ts'
import { type LayoutStage, layoutStage } from './stage-state.ts'

export const photoLayoutPage = toolPage<PhotoLayoutParams, PhotoLayoutInputs, LayoutStage>({
  definition: photoLayout,
  icon: {
    line: (
      <>
        <rect x="5" y="5" width="16" height="22" rx="5" />
        <rect x="27" y="5" width="16" height="12" rx="5" />
        <rect x="5" y="33" width="16" height="10" rx="5" />
      </>
    ),
    fill: <rect x="27" y="23" width="16" height="20" rx="5" />,
  },
  labels: {
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
  },
  showcase: 'result',
  examples: [],
  panel: lazyPart(() => import('./panel.tsx'), 'PhotoLayoutPanel'),
  panelInputs: ['background', 'logo'],
  stage: {
    component: lazyPart(() => import('./stage.tsx'), 'PhotoLayoutStage'),
    ...layoutStage,
  },
})
