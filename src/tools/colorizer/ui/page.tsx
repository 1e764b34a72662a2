import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { toolPage } from '#tools/ui/page.ts'
import { type ColorizerInputs, type ColorizerParams, colorizer } from '../contract/definition.ts'
import { type HintStage, hintStage } from './stage-state.ts'

export const colorizerPage = toolPage<ColorizerParams, ColorizerInputs, HintStage>({
  definition: colorizer,
  icon: {
    line: (
      <>
        <circle cx="16.5" cy="30" r="11" />
        <circle cx="31.5" cy="30" r="11" />
      </>
    ),
    fill: <circle cx="24" cy="16.5" r="11" opacity=".85" />,
  },
  labels: {
    tagline: msg`Warna untuk foto hitam putih`,
    intro: msg`Foto lama jadi berwarna dalam tiga pilihan. Kamu bisa memberi tahu warna baju, kulit, atau latarnya.`,
    action: msg`Warnai foto`,
    actionMany: msg({ message: 'Warnai {count} foto' }),
    steps: [
      {
        title: msg`Pilih foto hitam putih`,
        text: msg`Juga yang sudah menguning atau pudar. Bisa sampai 20 foto sekaligus.`,
      },
      {
        title: msg`Tandai warna yang kamu tahu`,
        text: msg`Pilih warna lalu ketuk atau sapu tempatnya. Warnanya menyebar sampai ke tepi bendanya.`,
      },
      {
        title: msg`Pilih satu dari tiga`,
        text: msg`Tambah petunjuk warna atau ubah kepekatannya sesukamu, tanpa kredit lagi.`,
      },
    ],
    advice: msg`Pindai atau potret foto lamanya tegak lurus, tanpa pantulan cahaya. Wajah yang jelas membantu menemukan warna kulit.`,
  },
  showcase: 'pair',
  examples: [],
  panelHeight: 12.25,
  panel: lazyPart(() => import('./panel.tsx'), 'ColorizerPanel'),
  stage: {
    component: lazyPart(() => import('./panel.tsx'), 'HintCanvas'),
    ...hintStage,
  },
})
