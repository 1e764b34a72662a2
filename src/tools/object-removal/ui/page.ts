import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import type { MaskState } from '#ui/mask-editor/mask-state.ts'
import { type ObjectRemovalInputs, type ObjectRemovalParams, objectRemoval } from '../contract/definition.ts'
import { objectRemovalIcon } from './icon.tsx'
import { markStage } from './stage-state.ts'
import { objectRemovalWords } from './words.ts'

/** What the app knows of this tool; its controls come with its page. */
export const objectRemovalPage = toolPage<ObjectRemovalParams, ObjectRemovalInputs, MaskState>({
  facts: objectRemoval,
  icon: objectRemovalIcon,
  words: objectRemovalWords,
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).ObjectRemovalPanel })),
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).ObjectRemovalStage })),
    ...markStage,
  },
})
