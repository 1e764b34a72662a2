import { lazy } from 'react'
import { toolPanel } from '../panel.ts'
import { type BackgroundRemovalInputs, type BackgroundRemovalParams, backgroundRemoval } from './contract.ts'
import { backgroundRemovalWords } from './panel-words.ts'

/** What the app holds of this tool from the start; its controls come with its page. */
export const backgroundRemovalPanel = toolPanel<BackgroundRemovalParams, BackgroundRemovalInputs>({
  facts: backgroundRemoval,
  words: backgroundRemovalWords,
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).BackgroundRemovalPanel })),
  areaParams: (box) => ({ box }),
  preview: {
    from: ({ background, crop, shadow, format }) =>
      background.type === 'transparent' && !crop && !shadow && format !== 'jpeg',
    shows: ({ crop }) => !crop,
    component: lazy(async () => ({ default: (await import('./panel-preview.tsx')).BackgroundRemovalPreview })),
  },
})
