import { lazy } from 'react'
import { type Correction, correction } from '#tools/ui/correction.ts'
import { toolPage } from '#tools/ui/page.ts'
import { type FaceCutoutInputs, type FaceCutoutParams, faceCutout } from '../contract/definition.ts'
import { faceCutoutIcon } from './icon.tsx'
import { faceCutoutLabels } from './labels.ts'

/** What the app knows of this tool; its controls come with its page. */
export const faceCutoutPage = toolPage<FaceCutoutParams, FaceCutoutInputs, Correction>({
  definition: faceCutout,
  icon: faceCutoutIcon,
  labels: faceCutoutLabels,
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).FaceCutoutPanel })),
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).FaceCutoutStage })),
    ...correction,
    active: ({ brushing }, phase) => brushing || phase === 'before',
  },
})
