// Interface of generations for other features' screens: drafts of a tool's page.
export { draftedTool, draftFiles, saveDraft, takeDraft } from './draft.ts'

/** Loads the tool page. */
export const loadStudio = () => import('./studio/studio-page.tsx')
