// Public interface of shared links for other features' screens.
export { SharedLinksCard, ShareLinkSheet } from './late-shared.ts'
