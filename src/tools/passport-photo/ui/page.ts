import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import { type PassportPhotoInputs, type PassportPhotoParams, passportPhoto } from '../contract/definition.ts'
import { passportPhotoIcon } from './icon.tsx'
import { passportPhotoLabels } from './labels.ts'

/** What the app knows of this tool; its controls come with its page. */
export const passportPhotoPage = toolPage<PassportPhotoParams, PassportPhotoInputs>({
  definition: passportPhoto,
  icon: passportPhotoIcon,
  labels: passportPhotoLabels,
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).PassportPhotoPanel })),
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).PassportPhotoStage })),
    from: () => null,
    params: () => ({}),
    active: (_state, phase) => phase === 'before',
  },
})
