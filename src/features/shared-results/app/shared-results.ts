export { SharedLinksCard, ShareLinkSheet } from './late-shared.ts'
