import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { type Correction, correction } from '#tools/ui/correction.ts'
import { toolPage } from '#tools/ui/page.ts'
import { type PassportPhotoInputs, type PassportPhotoParams, passportPhoto } from '../contract/definition.ts'

export const passportPhotoPage = toolPage<PassportPhotoParams, PassportPhotoInputs, Correction>({
  definition: passportPhoto,
  icon: {
    line: (
      <>
        <rect x="10" y="4" width="28" height="40" rx="6" />
        <path d="M4 8v32M4 8h2.500M4 18.500h2.500M4 29.500h2.500M4 40h2.5" strokeWidth="1.8" />
      </>
    ),
    fill: (
      <>
        <circle cx="24" cy="18" r="5.5" />
        <path d="M14 37c.4-7 4.4-11 10-11s9.6 4 10 11z" />
      </>
    ),
  },
  labels: {
    tagline: msg`Ukuran, latar, dan lembar cetak yang pas`,
    intro: msg`Satu foto biasa jadi pasfoto: ukuran, letak kepala, latar, dan ukuran berkas tepat menurut aturannya.`,
    action: msg`Buat pasfoto`,
    actionMany: msg({ message: 'Buat {count} pasfoto' }),
    steps: [
      {
        title: msg`Pilih foto`,
        text: msg`Satu orang, menghadap ke depan, bahu kelihatan. Miring sedikit tidak apa-apa, nanti diluruskan.`,
      },
      {
        title: msg`Pilih keperluan dan latar`,
        text: msg`KTP, SSCASN, SNPMB, haji, visa, atau ukuran sendiri. Pemeriksaan kepala, mata, cahaya, dan ketajaman gratis.`,
      },
      {
        title: msg`Unduh atau cetak`,
        text: msg`Piksel, dpi, dan KB-nya tepat. Ganti ukuran, latar, atau lembar cetak 4R dan A4 tanpa kredit lagi.`,
      },
    ],
    advice: msg`Pakai foto terang dengan wajah menghadap ke depan, mulut tertutup, tanpa kacamata. Aturan bisa berubah: cek lagi ke kantor yang dituju.`,
  },
  showcase: 'pair',
  drawing: lazyPart(() => import('./sheet-preview.tsx'), 'PrintedSheet'),
  panelHeight: 11.3125,
  panel: lazyPart(() => import('./panel.tsx'), 'PassportPhotoPanel'),
  stage: {
    component: lazyPart(() => import('./stage.tsx'), 'PassportPhotoStage'),
    ...correction,
    active: ({ brushing }, phase) => brushing || phase === 'before',
  },
})
