export { draftedTool, draftFiles, saveDraft, takeDraft } from './draft.ts'

export const loadStudio = () => import('./studio/studio-page.tsx')
export const loadContinueOffer = () => import('./studio/continue-offer.tsx')
