import { lazy } from 'react'
import { customEditEntry } from '#tools/ui/custom-edit-entry.tsx'
import { toolPage } from '#tools/ui/page.ts'
import { type InstantEditInputs, type InstantEditParams, instantEdit } from '../contract/definition.ts'
import { instantEditLabels } from './labels.ts'

/** What the app knows of this tool; its controls come with its page. */
export const instantEditPage = toolPage<InstantEditParams, InstantEditInputs>({
  definition: instantEdit,
  icon: customEditEntry.icon,
  labels: instantEditLabels,
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).InstantEditPanel })),
})
