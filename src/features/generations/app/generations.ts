// What other features' screens may use of generations: the pictures that wait for a tool's page.
export { draftedTool, draftFiles, saveDraft, takeDraft } from './draft.ts'
