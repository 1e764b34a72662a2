import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { toolPage } from '#tools/ui/page.ts'
import {
  type BackgroundDiffusionInputs,
  type BackgroundDiffusionParams,
  backgroundDiffusion,
} from '../contract/definition.ts'
import { type PlacementStage, placementStage } from './stage-state.ts'

export const backgroundDiffusionPage = toolPage<BackgroundDiffusionParams, BackgroundDiffusionInputs, PlacementStage>({
  definition: backgroundDiffusion,
  icon: {
    line: (
      <>
        <rect x="5" y="7" width="38" height="34" rx="9" />
        <path d="m6 35 10-11 8 8 7-7 11 11" />
      </>
    ),
    fill: <circle cx="33" cy="16.5" r="4.5" />,
  },
  labels: {
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
        text: msg`Tulis, misalnya “lobi hotel yang hangat”, atau pilih dari contoh.`,
      },
      {
        title: msg`Pilih satu dari empat`,
        text: msg`Geser dan ubah ukuran orang atau bendanya sesukamu, tanpa kredit lagi.`,
      },
    ],
    advice: msg`Paling bagus dengan orang atau benda yang seluruhnya tajam dan cahayanya tidak terlalu keras.`,
  },
  revision: { label: msg`Ganti suasana`, stage: (now) => now },
  showcase: 'pair',
  panelHeight: 13,
  panel: lazyPart(() => import('./panel.tsx'), 'BackgroundDiffusionPanel'),
  panelInputs: ['logo'],
  stage: {
    component: lazyPart(() => import('./panel.tsx'), 'BackgroundDiffusionStage'),
    ...placementStage,
  },
})
