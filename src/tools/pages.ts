import { backgroundDiffusionPage } from './background-diffusion/page.ts'
import { backgroundRemovalPage } from './background-removal/page.ts'
import { cartoonizerPage } from './cartoonizer/page.ts'
import { colorizerPage } from './colorizer/page.ts'
import type { ToolId } from './contracts.ts'
import { enhancementPage } from './enhancement/page.ts'
import { faceCutoutPage } from './face-cutout/page.ts'
import { headshotPage } from './headshot/page.ts'
import { objectRemovalPage } from './object-removal/page.ts'
import type { AnyToolPage } from './page.ts'
import { passportPhotoPage } from './passport-photo/page.ts'
import { photoLayoutPage } from './photo-layout/page.ts'
import { swapFacePage } from './swap-face/page.ts'
import { videoBackgroundRemovalPage } from './video-background-removal/page.ts'

/**
 * Every tool's page, in the order in which people meet them; a tool without one does not pass the
 * type check.
 */
export const toolPages: { [Id in ToolId]: AnyToolPage } = {
  'background-removal': backgroundRemovalPage,
  'object-removal': objectRemovalPage,
  enhancement: enhancementPage,
  cartoonizer: cartoonizerPage,
  'background-diffusion': backgroundDiffusionPage,
  'face-cutout': faceCutoutPage,
  'passport-photo': passportPhotoPage,
  colorizer: colorizerPage,
  'photo-layout': photoLayoutPage,
  'swap-face': swapFacePage,
  'video-background-removal': videoBackgroundRemovalPage,
  headshot: headshotPage,
}

/** The page of a tool by its id, or undefined when there is none. */
export function findToolPage(id: string): AnyToolPage | undefined {
  return Object.hasOwn(toolPages, id) ? toolPages[id as ToolId] : undefined
}
