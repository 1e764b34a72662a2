import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { customEditEntry } from '#tools/ui/custom-edit-entry.tsx'
import { toolPage } from '#tools/ui/page.ts'
import { type InstantEditInputs, type InstantEditParams, instantEdit } from '../contract/definition.ts'

export const instantEditPage = toolPage<InstantEditParams, InstantEditInputs>({
  definition: instantEdit,
  icon: customEditEntry.icon,
  labels: {
    tagline: msg`Tulis maumu, AI mencobanya sekarang`,
    intro: msg`Satu foto, satu kalimat: AI mencoba mengubahnya. Kalau belum pas, desainer kami yang mengerjakan.`,
    action: msg`Buat draf`,
    steps: [
      { title: msg`Pilih foto`, text: msg`Satu foto, dari galeri atau kamera.` },
      { title: msg`Tulis perubahannya`, text: msg`Misalnya “ganti langit mendung jadi biru cerah”.` },
      {
        title: msg`Lihat drafnya`,
        text: msg`Kalau belum pas, coba versi lain, atau kirim ke desainer kami tanpa kredit.`,
      },
    ],
    advice: msg`Sebut satu atau dua perubahan saja, sejelas mungkin.`,
    problems: { 'instant-edit.prompt': msg`Tulis dulu apa yang mau diubah.` },
  },
  panel: lazyPart(() => import('./panel.tsx'), 'InstantEditPanel'),
})
