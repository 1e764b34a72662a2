import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { type ToolStage, toolPage } from '#tools/ui/page.ts'
import type { Size } from '#ui/geometry.ts'
import { type MaskState, newMaskState, strokesInPixels, strokesInShares } from '#ui/mask-editor/strokes.ts'
import { type ObjectRemovalInputs, type ObjectRemovalParams, objectRemoval } from '../contract/definition.ts'

const unmarked = msg`Sapu dulu bagian yang mau dihapus`

const markStage: Omit<ToolStage<ObjectRemovalParams, MaskState>, 'component'> = {
  from: ({ strokes }: ObjectRemovalParams, size: Size) => newMaskState(strokesInShares(strokes, size)),
  params: ({ history }: MaskState, size: Size) => ({ strokes: strokesInPixels(history.strokes, size) }),
  active: (_state, phase) => phase === 'before',
  batch: 'by shape',
  missing: (state) => (state?.history.strokes.some(({ mode }) => mode === 'keep') ? undefined : unmarked),
}

export const objectRemovalPage = toolPage<ObjectRemovalParams, ObjectRemovalInputs, MaskState>({
  definition: objectRemoval,
  icon: {
    line: (
      <>
        <circle cx="18" cy="29" r="12.5" strokeDasharray="4.5 4" />
        <path d="M6 45h36" />
      </>
    ),
    fill: (
      <path d="m24.5 25.2 13.8-18c1.2-1.5 3.6-1.2 4.4.5.4.9.3 1.9-.3 2.700L30 29.600c-1.3 1.8-3.9 2-5.5.4a3.5 3.5 0 0 1 0-4.800z" />
    ),
  },
  labels: {
    tagline: msg`Hapus yang mengganggu, sisanya tetap`,
    intro: msg`Sapu benda, orang lewat, atau goresan. Latarnya disambung lagi seolah tidak pernah ada.`,
    action: msg`Hapus objek`,
    actionMany: msg({ message: 'Hapus objek di {count} foto' }),
    again: msg`Hapus yang lain juga`,
    steps: [
      {
        title: msg`Pilih foto`,
        text: msg`Dari galeri, kamera, atau tempel langsung. Bisa sampai 20 foto sekaligus.`,
      },
      {
        title: msg`Sapu yang mau dihapus`,
        text: msg`Pakai kuas, atau ketuk bendanya. Sapu bayangannya juga; beberapa tempat sekaligus boleh. Foto seukuran bisa ditandai sekaligus.`,
      },
      {
        title: msg`Tekan Hapus objek`,
        text: msg`Bagian lain dari fotomu tidak berubah sedikit pun.`,
      },
    ],
    advice: msg`Sapu sedikit melewati tepi bendanya, termasuk bayangannya. Benda kecil di depan latar yang luas hasilnya paling rapi.`,
  },
  examples: ['rocket', 'dandelions'],
  showcase: 'pair',
  panel: lazyPart(() => import('./panel.tsx'), 'ObjectRemovalPanel'),
  stage: {
    component: lazyPart(() => import('./panel.tsx'), 'ObjectRemovalStage'),
    ...markStage,
  },
})
