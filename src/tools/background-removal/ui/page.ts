import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import { type Recovery, toolPage } from '#tools/ui/page.ts'
import { firstBox } from '#ui/geometry.ts'
import {
  type BackgroundRemovalInputs,
  type BackgroundRemovalParams,
  backgroundRemoval,
} from '../contract/definition.ts'
import { backgroundRemovalIcon } from './icon.tsx'
import { backgroundRemovalLabels } from './labels.ts'
import { type SubjectStage, subjectStage } from './stage-state.ts'

const marking: Recovery<BackgroundRemovalParams, SubjectStage> = {
  label: msg`Tandai objeknya`,
  params: { subject: 'object' },
  stage: (now) => ({ ...now, marking: true, box: now.box ?? firstBox }),
}

/** What the app knows of this tool; its controls come with its page. */
export const backgroundRemovalPage = toolPage<BackgroundRemovalParams, BackgroundRemovalInputs, SubjectStage>({
  definition: backgroundRemoval,
  icon: backgroundRemovalIcon,
  labels: backgroundRemovalLabels,
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).BackgroundRemovalPanel })),
  panelInputs: ['background', 'logo'],
  stage: {
    component: lazy(async () => ({ default: (await import('./stage.tsx')).BackgroundRemovalStage })),
    ...subjectStage,
  },
  recovery: { 'engine.no_subject': marking, 'engine.subject_unsure': marking },
  onDevice: 'meanwhile',
  preview: {
    from: ({ background, crop, shape, shadow, logo, format }) =>
      !logo && background.type === 'transparent' && !crop && shape === 'own' && !shadow && format !== 'jpeg',
    shows: ({ crop, shape }) => !crop && shape === 'own',
    component: lazy(async () => ({ default: (await import('./preview.tsx')).BackgroundRemovalPreview })),
  },
})
