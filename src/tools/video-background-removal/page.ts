import { lazy } from 'react'
import { toolPage } from '../page.ts'
import {
  type VideoBackgroundRemovalInputs,
  type VideoBackgroundRemovalParams,
  videoBackgroundRemoval,
} from './contract.ts'
import { videoBackgroundRemovalIcon } from './icon.tsx'
import { videoBackgroundRemovalWords } from './words.ts'

/** What the app knows of this tool; its controls come with its page. */
export const videoBackgroundRemovalPage = toolPage<VideoBackgroundRemovalParams, VideoBackgroundRemovalInputs>({
  facts: videoBackgroundRemoval,
  icon: videoBackgroundRemovalIcon,
  words: videoBackgroundRemovalWords,
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).VideoBackgroundRemovalPanel })),
  panelInputs: ['background'],
})
