import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import { type EnhancementInputs, type EnhancementParams, enhancement } from '../contract/definition.ts'
import { enhancementIcon } from './icon.tsx'
import { type DetailStage, detailStage } from './stage-state.ts'
import { enhancementWords } from './words.ts'

/** What the app knows of this tool; its controls come with its page. */
export const enhancementPage = toolPage<EnhancementParams, EnhancementInputs, DetailStage>({
  facts: enhancement,
  icon: enhancementIcon,
  words: enhancementWords,
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).EnhancementPanel })),
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).EnhancementStage })),
    ...detailStage,
  },
})
