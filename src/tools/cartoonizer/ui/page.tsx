import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { toolPage } from '#tools/ui/page.ts'
import { type CartoonizerInputs, type CartoonizerParams, cartoonizer } from '../contract/definition.ts'

export const cartoonizerPage = toolPage<CartoonizerParams, CartoonizerInputs>({
  definition: cartoonizer,
  icon: {
    line: (
      <>
        <circle cx="24" cy="24" r="18" />
        <path d="M15.5 28c2 4.6 5 6.8 8.5 6.8s6.5-2.2 8.5-6.8z" />
      </>
    ),
    fill: (
      <>
        <circle cx="17.5" cy="19.5" r="3" />
        <circle cx="30.5" cy="19.5" r="3" />
      </>
    ),
  },
  labels: {
    tagline: msg`Jadi komik, cat air, atau stiker`,
    intro: msg`Satu foto, delapan gaya gambar. Wajahmu tetap dikenali.`,
    action: msg`Jadikan kartun`,
    actionMany: msg({ message: 'Jadikan {count} foto kartun' }),
    steps: [
      {
        title: msg`Pilih foto`,
        text: msg`Selfie, foto bersama, atau foto apa saja. Bisa sampai 20 foto sekaligus.`,
      },
      {
        title: msg`Pilih gaya`,
        text: msg`Komik, anime, tinta, cat air, pop art, pensil, poster, atau piksel. Contohnya memakai fotomu sendiri.`,
      },
      {
        title: msg`Unduh atau jadikan stiker`,
        text: msg`Ganti gaya sesukamu, tanpa kredit lagi. Stikernya siap dipakai di WhatsApp.`,
      },
    ],
    advice: msg`Paling bagus dengan foto yang terang, wajah menghadap ke depan, dan tidak tertutup.`,
  },
  showcase: 'pair',
  onDevice: 'before',
  samplesPhoto: true,
  panelHeight: 14.75,
  panel: lazyPart(() => import('./panel.tsx'), 'CartoonizerPanel'),
})
