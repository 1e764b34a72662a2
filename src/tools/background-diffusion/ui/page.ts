import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import {
  type BackgroundDiffusionInputs,
  type BackgroundDiffusionParams,
  backgroundDiffusion,
} from '../contract/definition.ts'
import { backgroundDiffusionIcon } from './icon.tsx'
import { backgroundDiffusionLabels } from './labels.ts'
import { type PlacementStage, placementStage } from './stage-state.ts'

/** What the app knows of this tool; its controls come with its page. */
export const backgroundDiffusionPage = toolPage<BackgroundDiffusionParams, BackgroundDiffusionInputs, PlacementStage>({
  definition: backgroundDiffusion,
  icon: backgroundDiffusionIcon,
  labels: backgroundDiffusionLabels,
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).BackgroundDiffusionPanel })),
  panelInputs: ['logo'],
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).PlacementCanvas })),
    ...placementStage,
  },
})
