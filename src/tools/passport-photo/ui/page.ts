import { lazy } from 'react'
import { type Correction, correction } from '#tools/ui/correction.ts'
import { toolPage } from '#tools/ui/page.ts'
import { type PassportPhotoInputs, type PassportPhotoParams, passportPhoto } from '../contract/definition.ts'
import { passportPhotoIcon } from './icon.tsx'
import { passportPhotoLabels } from './labels.ts'

/** What the app knows of this tool; its controls come with its page. */
export const passportPhotoPage = toolPage<PassportPhotoParams, PassportPhotoInputs, Correction>({
  definition: passportPhoto,
  icon: passportPhotoIcon,
  labels: passportPhotoLabels,
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).PassportPhotoPanel })),
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).PassportPhotoStage })),
    ...correction,
    active: ({ brushing }, phase) => brushing || phase === 'before',
  },
})
