import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { type Correction, correction } from '#tools/ui/correction.ts'
import { toolPage } from '#tools/ui/page.ts'
import { type FaceCutoutInputs, type FaceCutoutParams, faceCutout } from '../contract/definition.ts'

export const faceCutoutPage = toolPage<FaceCutoutParams, FaceCutoutInputs, Correction>({
  definition: faceCutout,
  icon: {
    line: (
      <path d="M24 4c9 0 15 6.5 15 15.500C39 30 32 40 24 40S9 30 9 19.500C9 10.5 15 4 24 4z" strokeDasharray="5 4.2" />
    ),
    fill: (
      <path d="M24 10c5.6 0 9.3 4 9.3 9.600C33.3 26.5 29 33.5 24 33.500s-9.3-7-9.3-13.900C14.7 14 18.4 10 24 10z" />
    ),
  },
  labels: {
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
  },
  showcase: 'pair',
  panel: lazyPart(() => import('./panel.tsx'), 'FaceCutoutPanel'),
  stage: {
    component: lazyPart(() => import('./panel.tsx'), 'FaceCutoutStage'),
    ...correction,
    active: ({ brushing }, phase) => brushing || phase === 'before',
  },
})
