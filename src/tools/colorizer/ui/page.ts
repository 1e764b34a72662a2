import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import { type ColorizerInputs, type ColorizerParams, colorizer } from '../contract/definition.ts'
import { colorizerIcon } from './icon.tsx'
import { colorizerLabels } from './labels.ts'
import { type HintStage, hintStage } from './stage-state.ts'

/** What the app knows of this tool; its controls come with its page. */
export const colorizerPage = toolPage<ColorizerParams, ColorizerInputs, HintStage>({
  definition: colorizer,
  icon: colorizerIcon,
  labels: colorizerLabels,
  showcase: 'pair',
  examples: [],
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).ColorizerPanel })),
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).HintCanvas })),
    ...hintStage,
  },
})
