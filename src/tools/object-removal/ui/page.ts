import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import type { MaskState } from '#ui/mask-editor/mask-state.ts'
import { type ObjectRemovalInputs, type ObjectRemovalParams, objectRemoval } from '../contract/definition.ts'
import { objectRemovalIcon } from './icon.tsx'
import { objectRemovalLabels } from './labels.ts'
import { markStage } from './stage-state.ts'

/** What the app knows of this tool; its controls come with its page. */
export const objectRemovalPage = toolPage<ObjectRemovalParams, ObjectRemovalInputs, MaskState>({
  definition: objectRemoval,
  icon: objectRemovalIcon,
  labels: objectRemovalLabels,
  // With something in it that can go.
  examples: ['rocket', 'dandelions'],
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).ObjectRemovalPanel })),
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).ObjectRemovalStage })),
    ...markStage,
  },
})
