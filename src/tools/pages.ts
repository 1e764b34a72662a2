import { backgroundDiffusionPage } from './background-diffusion/ui/page.tsx'
import { backgroundRemovalPage } from './background-removal/ui/page.tsx'
import { cartoonizerPage } from './cartoonizer/ui/page.tsx'
import { colorizerPage } from './colorizer/ui/page.tsx'
import type { ToolId, toolContracts } from './contracts.ts'
import { enhancementPage } from './enhancement/ui/page.tsx'
import { faceCutoutPage } from './face-cutout/ui/page.tsx'
import { headshotPage } from './headshot/ui/page.tsx'
import { instantEditPage } from './instant-edit/ui/page.tsx'
import { objectRemovalPage } from './object-removal/ui/page.tsx'
import { passportPhotoPage } from './passport-photo/ui/page.tsx'
import { photoLayoutPage } from './photo-layout/ui/page.tsx'
import { swapFacePage } from './swap-face/ui/page.tsx'
import type { AnyToolPage } from './ui/page.ts'
import { videoBackgroundRemovalPage } from './video-background-removal/ui/page.tsx'

export type PagesOf<Contracts> = { [Id in keyof Contracts]: AnyToolPage }

/** In display order; the type check fails for a tool without a page. */
export const toolPages: PagesOf<typeof toolContracts> = {
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
  'instant-edit': instantEditPage,
}

export const listedPages = Object.values(toolPages).filter(({ definition }) => !definition.unlisted)

export function findToolPage(id: string): AnyToolPage | undefined {
  return Object.hasOwn(toolPages, id) ? toolPages[id as ToolId] : undefined
}
