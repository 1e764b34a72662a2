import { lazy } from 'react'
import { toolPage } from '../page.ts'
import { type PhotoLayoutInputs, type PhotoLayoutParams, photoLayout } from './contract.ts'
import { photoLayoutIcon } from './icon.tsx'
import { photoLayoutWords } from './words.ts'

/** What the app knows of this tool; its controls come with its page. */
export const photoLayoutPage = toolPage<PhotoLayoutParams, PhotoLayoutInputs>({
  facts: photoLayout,
  icon: photoLayoutIcon,
  words: photoLayoutWords,
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).PhotoLayoutPanel })),
  panelInputs: ['background'],
})
