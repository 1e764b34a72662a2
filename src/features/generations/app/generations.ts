// What other features' screens may use of generations: the pictures that wait for a tool's page.
export { draftedTool, draftFiles, saveDraft, takeDraft } from './draft.ts'

/** Loads the page of a tool. */
export const loadStudio = () => import('./studio/studio-page.tsx')
