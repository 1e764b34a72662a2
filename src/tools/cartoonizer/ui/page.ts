import { lazy } from 'react'
import { toolPage } from '#tools/ui/page.ts'
import { type CartoonizerInputs, type CartoonizerParams, cartoonizer } from '../contract/definition.ts'
import { cartoonizerIcon } from './icon.tsx'
import { cartoonizerWords } from './words.ts'

/** What the app knows of this tool; its controls come with its page. */
export const cartoonizerPage = toolPage<CartoonizerParams, CartoonizerInputs>({
  facts: cartoonizer,
  icon: cartoonizerIcon,
  words: cartoonizerWords,
  showcase: 'pair',
  panel: lazy(async () => ({ default: (await import('./panel.tsx')).CartoonizerPanel })),
})
