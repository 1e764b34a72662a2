import { msg } from '@lingui/core/macro'
import { lazyPart } from '#client/lazy.ts'
import { toolPage } from '#tools/ui/page.ts'
import {
  minChargedSeconds,
  type VideoBackgroundRemovalInputs,
  type VideoBackgroundRemovalParams,
  videoBackgroundRemoval,
} from '../contract/definition.ts'

export const videoBackgroundRemovalPage = toolPage<VideoBackgroundRemovalParams, VideoBackgroundRemovalInputs>({
  definition: videoBackgroundRemoval,
  icon: {
    line: (
      <>
        <rect x="4" y="10" width="40" height="28" rx="8" strokeDasharray="5 4.2" />
        <path d="M14 10v28M34 10v28" strokeWidth="1.6" />
      </>
    ),
    fill: <path d="M20.5 17.500c0-1.2 1.3-2 2.3-1.300l8 6.300c1 .7 1 2.2 0 2.900l-8 6.300c-1 .8-2.3 0-2.3-1.200z" />,
  },
  labels: {
    tagline: msg`Video tanpa latar, suara tetap`,
    intro: msg`Orang atau bendanya tetap, latarnya pergi. Suara, durasi, dan jumlah gambarnya tidak berubah.`,
    action: msg`Hapus latar video`,
    price(credits) {
      const least = credits * minChargedSeconds
      return msg`${credits} kredit per detik, minimal ${least}`
    },
    steps: [
      {
        title: msg`Pilih video`,
        text: msg`MP4, MOV, atau WebM, sampai 60 detik dan 100 MB. Harganya langsung kelihatan, sebelum ada yang diunggah: tiap detik, atau tiap 30 gambar kalau sedetiknya lebih dari itu.`,
      },
      {
        title: msg`Coba 3 detik pertama`,
        text: msg`Pratinjaunya gratis. Unggahan yang terputus dilanjutkan, tidak diulang.`,
      },
      {
        title: msg`Putar dan unduh`,
        text: msg`WebM transparan untuk ditempel di video lain, atau MP4 dengan warna, latar buram, atau fotomu sendiri.`,
      },
    ],
    advice: msg`Paling rapi kalau orangnya terang, tidak terlalu kecil, dan kameranya tidak berputar cepat. Benda bisa juga, kalau menonjol dari latarnya.`,
  },
  showcase: 'pair',
  panel: lazyPart(() => import('./panel.tsx'), 'VideoBackgroundRemovalPanel'),
  panelInputs: ['background'],
  trial: {
    is: ({ preview }) => preview,
    label: msg`Proses seluruh video`,
    params: { preview: false },
  },
  recovery: {
    'engine.video_subject_unsure': { label: msg`Cari benda yang menonjol`, params: { subject: 'object' } },
    'engine.no_subject': { label: msg`Cari benda yang menonjol`, params: { subject: 'object' } },
  },
})
