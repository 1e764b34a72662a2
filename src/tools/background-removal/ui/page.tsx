import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import type { Box } from '#shared/media.ts'
import type { Facts } from '#tools/contract/tool.ts'
import { type Recovery, toolPage } from '#tools/ui/page.ts'
import { firstBox } from '#ui/geometry.ts'
import {
  type BackgroundRemovalInputs,
  type BackgroundRemovalParams,
  backgroundRemoval,
} from '../contract/definition.ts'
import { everyoneIn, type SubjectStage, subjectStage } from './stage-state.ts'

const likelyBox = (found: Facts | undefined) => found?.likely as unknown as Box | undefined

const marking: Recovery<BackgroundRemovalParams, SubjectStage> = {
  label: msg`Tandai objeknya`,
  params: { subject: 'object' },
  stage: (now, found) => ({ ...now, marking: true, box: now.box ?? likelyBox(found) ?? firstBox }),
}

const markingPerson = { ...marking, label: msg`Tandai dengan kotak` }

const pickingPeople: Recovery<BackgroundRemovalParams, SubjectStage> = {
  label: msg`Pilih orangnya`,
  labelFor: (found) => {
    const count = everyoneIn(found)?.boxes.length ?? 0
    return count > 1 ? msg`Semua ${count} orang` : undefined
  },
  stage: (now, found) => ({ ...now, marking: false, box: null, people: everyoneIn(found) }),
}

export const backgroundRemovalPage = toolPage<BackgroundRemovalParams, BackgroundRemovalInputs, SubjectStage>({
  definition: backgroundRemoval,
  icon: {
    line: <rect x="5" y="5" width="38" height="37" rx="9" strokeDasharray="5 4.2" />,
    fill: (
      <>
        <circle cx="24" cy="19" r="6.5" />
        <path d="M11.5 41.5c.4-8 5.4-13 12.5-13s12.1 5 12.5 13z" />
      </>
    ),
  },
  labels: {
    tagline: msg`Pisahkan orang atau barang dari latarnya`,
    intro: msg`Potong rapi sampai ke helai rambut, lalu ganti latarnya sesukamu.`,
    action: msg`Hapus latar`,
    actionMany: msg({ message: 'Hapus latar {count} foto' }),
    steps: [
      {
        title: msg`Pilih foto`,
        text: msg`Dari galeri, kamera, atau tempel langsung. Bisa sampai 20 foto sekaligus.`,
      },
      {
        title: msg`Tekan Hapus latar`,
        text: msg`Biasanya selesai dalam beberapa detik. Kamu boleh menutup halaman ini.`,
      },
      {
        title: msg`Ganti latar dan unduh`,
        text: msg`Warna, buram, atau fotomu sendiri. Mengubah hasil tidak memakai kredit lagi.`,
      },
    ],
    advice: msg`Pakai foto yang jelas dan menghadap ke depan. Hindari posisi menyamping, kacamata, cahaya berlebihan, dan wajah yang tertutup.`,
    problems: {
      'upload.missing': msg`Pilih dulu gambarnya.`,
    },
  },
  showcase: 'pair',
  panel: lazyPart(() => import('./panel.tsx'), 'BackgroundRemovalPanel'),
  panelInputs: ['background', 'logo'],
  stage: {
    component: lazyPart(() => import('./panel.tsx'), 'BackgroundRemovalStage'),
    ...subjectStage,
  },
  recovery: {
    'engine.no_subject': marking,
    'engine.subject_unsure': marking,
    'engine.people_unsure': pickingPeople,
    'engine.person_not_found': markingPerson,
  },
  onDevice: 'meanwhile',
  preview: {
    from: ({ background, crop, shape, shadow, logo, format }) =>
      !logo && background.type === 'transparent' && !crop && shape === 'own' && !shadow && format !== 'jpeg',
    shows: ({ crop, shape }) => !crop && shape === 'own',
    component: lazyPart(() => import('./panel.tsx'), 'BackgroundRemovalPreview'),
  },
})
