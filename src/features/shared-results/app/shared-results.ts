// What other features' screens may use of links to results.
export { SharedLinksCard, ShareLinkSheet } from './late-shared.ts'
