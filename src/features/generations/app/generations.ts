export { draftedTool, draftFiles, saveDraft, takeDraft } from './draft.ts'

export const loadStudio = () => import('./studio/studio-page.tsx')

/** Requests what a chosen photo needs. A part that fails is loaded again when it is needed. */
export function preloadStudio(tool: string): void {
  void loadStudio()
    .then(({ preloadParts }) => preloadParts(tool))
    .catch(() => undefined)
}
export const loadContinueOffer = () => import('./studio/continue-offer.tsx')
