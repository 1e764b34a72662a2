import { lazyComponent } from '#client/lazy.ts'

/** Few users share links, and none on the first screen. */
export const ShareLinkSheet = lazyComponent(() => import('./share-link-sheet.tsx'), 'ShareLinkSheet', null)
export const SharedLinksCard = lazyComponent(() => import('./shared-links-card.tsx'), 'SharedLinksCard', null)
