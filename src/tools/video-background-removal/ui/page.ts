import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import {
  type VideoBackgroundRemovalInputs,
  type VideoBackgroundRemovalParams,
  videoBackgroundRemoval,
} from '../contract/definition.ts'
import { videoBackgroundRemovalIcon } from './icon.tsx'
import { videoBackgroundRemovalLabels } from './labels.ts'

/** What the app knows of this tool; its controls come with its page. */
export const videoBackgroundRemovalPage = toolPage<VideoBackgroundRemovalParams, VideoBackgroundRemovalInputs>({
  definition: videoBackgroundRemoval,
  icon: videoBackgroundRemovalIcon,
  labels: videoBackgroundRemovalLabels,
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).VideoBackgroundRemovalPanel })),
  panelInputs: ['background'],
  trial: {
    is: ({ preview }) => preview,
    label: msg`Proses seluruh video`,
    params: { preview: false },
  },
  recovery: {
    'engine.no_subject': { label: msg`Cari benda yang menonjol`, params: { subject: 'object' } },
  },
})
