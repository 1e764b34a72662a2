export { SharedLinksCard, ShareLinkSheet } from './lazy-shared.ts'
