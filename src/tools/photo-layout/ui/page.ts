import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import { type PhotoLayoutInputs, type PhotoLayoutParams, photoLayout } from '../contract/definition.ts'
import { photoLayoutIcon } from './icon.tsx'
import { photoLayoutLabels } from './labels.ts'
import { type LayoutStage, layoutStage } from './stage-state.ts'

/** What the app knows of this tool; its controls come with its page. */
export const photoLayoutPage = toolPage<PhotoLayoutParams, PhotoLayoutInputs, LayoutStage>({
  definition: photoLayout,
  icon: photoLayoutIcon,
  labels: photoLayoutLabels,
  showcase: 'result',
  examples: [],
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).PhotoLayoutPanel })),
  panelInputs: ['background', 'logo'],
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).PhotoLayoutStage })),
    ...layoutStage,
  },
})
