import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import { type EnhancementInputs, type EnhancementParams, enhancement } from '../contract/definition.ts'
import { enhancementIcon } from './icon.tsx'
import { enhancementLabels } from './labels.ts'
import { type DetailStage, detailStage } from './stage-state.ts'

/** What the app knows of this tool; its controls come with its page. */
export const enhancementPage = toolPage<EnhancementParams, EnhancementInputs, DetailStage>({
  definition: enhancement,
  icon: enhancementIcon,
  labels: enhancementLabels,
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).EnhancementPanel })),
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).EnhancementStage })),
    ...detailStage,
  },
})
