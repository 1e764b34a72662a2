import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { toolPage } from '#tools/ui/page.ts'
import { type HeadshotInputs, type HeadshotParams, headshot } from '../contract/definition.ts'
import { type HeadshotState, headshotStage } from './stage-state.ts'

export const headshotPage = toolPage<HeadshotParams, HeadshotInputs, HeadshotState>({
  definition: headshot,
  icon: {
    line: <path d="M7 42V23a17 17 0 0 1 34 0v19z" />,
    fill: (
      <>
        <circle cx="24" cy="20" r="6" />
        <path d="M13 42c.4-7.5 4.8-12 11-12s10.6 4.5 11 12z" />
      </>
    ),
  },
  labels: {
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
      'engine.face_not_chosen': msg`Ada beberapa wajah di foto ini. Ketuk dulu wajah yang mau dibuatkan.`,
      'headshot.faces': msg`Wajah yang dipilih tidak cocok lagi dengan fotonya. Pilih lagi, ya.`,
      'headshot.one_face': msg`Gaya ini untuk satu wajah saja. Pilih satu wajah dulu.`,
    },
  },
  showcase: 'pair',
  panel: lazyPart(() => import('./panel.tsx'), 'HeadshotPanel'),
  stage: {
    component: lazyPart(() => import('./panel.tsx'), 'HeadshotStage'),
    ...headshotStage,
  },
})
