import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import { type HeadshotInputs, type HeadshotParams, headshot } from '../contract/definition.ts'
import { headshotIcon } from './icon.tsx'
import { headshotLabels } from './labels.ts'
import { type HeadshotState, headshotStage } from './stage-state.ts'

/** What the app knows of this tool; its controls come with its page. */
export const headshotPage = toolPage<HeadshotParams, HeadshotInputs, HeadshotState>({
  definition: headshot,
  icon: headshotIcon,
  labels: headshotLabels,
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).HeadshotPanel })),
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).HeadshotStage })),
    ...headshotStage,
  },
})
