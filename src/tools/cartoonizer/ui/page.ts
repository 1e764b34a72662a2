import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import { type CartoonizerInputs, type CartoonizerParams, cartoonizer } from '../contract/definition.ts'
import { cartoonizerIcon } from './icon.tsx'
import { cartoonizerLabels } from './labels.ts'

/** What the app knows of this tool; its controls come with its page. */
export const cartoonizerPage = toolPage<CartoonizerParams, CartoonizerInputs>({
  definition: cartoonizer,
  icon: cartoonizerIcon,
  labels: cartoonizerLabels,
  showcase: 'pair',
  onDevice: 'before',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).CartoonizerPanel })),
})
