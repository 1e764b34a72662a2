import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { toolPage } from '#tools/ui/page.ts'
import { type EnhancementInputs, type EnhancementParams, enhancement } from '../contract/definition.ts'
import { type DetailStage, detailStage } from './stage-state.ts'

export const enhancementPage = toolPage<EnhancementParams, EnhancementInputs, DetailStage>({
  definition: enhancement,
  icon: {
    line: (
      <>
        <rect x="5" y="5" width="38" height="38" rx="9" />
        <path d="M24 5v38" strokeDasharray="4 3.5" />
        <path d="M10.5 15h4v4h4v4h-4v4h-4z" strokeWidth="1.8" />
      </>
    ),
    fill: <path d="M33.5 13c.9 5.3 2.7 7.5 7 9-4.3 1.5-6.1 3.7-7 9-.9-5.3-2.7-7.5-7-9 4.3-1.5 6.1-3.7 7-9z" />,
  },
  labels: {
    tagline: msg`Lebih besar, tajam, dan bersih`,
    intro: msg`Perbesar foto kecil, bersihkan bintik, kotak JPEG, dan titik cetakan, lalu rapikan cahaya dan warnanya.`,
    action: msg`Perjelas foto`,
    actionMany: msg({ message: 'Perjelas {count} foto' }),
    price(credits) {
      const double = 2 * credits
      return msg`${credits} kredit (2x), ${double} (4x)`
    },
    steps: [
      {
        title: msg`Pilih foto`,
        text: msg`Dari galeri, kamera, atau tempel langsung. Bisa sampai 20 foto sekaligus.`,
      },
      {
        title: msg`Pilih ukurannya`,
        text: msg`Tetap, dua kali, atau empat kali lebih besar.`,
      },
      {
        title: msg`Atur sesukamu`,
        text: msg`Bintik, ketajaman, cahaya, dan warna bisa diubah lagi tanpa kredit.`,
      },
    ],
    advice: msg`Pakai berkas asli, bukan tangkapan layar. Foto yang sangat buram menjadi lebih bersih, tetapi detail yang hilang tidak kembali.`,
    problems: {
      'enhancement.invented_size': msg`Detail baru dari AI hanya untuk hasil sampai 4 megapiksel. Pilih ukuran yang lebih kecil, atau matikan.`,
      'upload.too_many_pixels': msg`Hasilnya akan lebih dari 50 megapiksel. Pilih pembesaran yang lebih kecil.`,
    },
  },
  showcase: 'pair',
  panel: lazyPart(() => import('./panel.tsx'), 'EnhancementPanel'),
  stage: {
    component: lazyPart(() => import('./stage.tsx'), 'EnhancementStage'),
    ...detailStage,
  },
})
