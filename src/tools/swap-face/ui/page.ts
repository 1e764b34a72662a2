import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import { type SwapFaceInputs, type SwapFaceParams, swapFaceTool } from '../contract/definition.ts'
import { swapFaceIcon } from './icon.tsx'
import { type SwapState, swapStage } from './stage-state.ts'
import { swapFaceWords } from './words.ts'

/** What the app knows of this tool; its controls come with its page. */
export const swapFacePage = toolPage<SwapFaceParams, SwapFaceInputs, SwapState>({
  facts: swapFaceTool,
  icon: swapFaceIcon,
  words: swapFaceWords,
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).SwapFacePanel })),
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).SwapFaceStage })),
    ...swapStage,
  },
})
