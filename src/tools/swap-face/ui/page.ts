import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import { type SwapFaceInputs, type SwapFaceParams, swapFaceTool } from '../contract/definition.ts'
import { swapFaceIcon } from './icon.tsx'
import { swapFaceLabels } from './labels.ts'
import { type SwapState, swapStage } from './stage-state.ts'

/** What the app knows of this tool; its controls come with its page. */
export const swapFacePage = toolPage<SwapFaceParams, SwapFaceInputs, SwapState>({
  definition: swapFaceTool,
  icon: swapFaceIcon,
  labels: swapFaceLabels,
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).SwapFacePanel })),
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).SwapFaceStage })),
    ...swapStage,
  },
})
