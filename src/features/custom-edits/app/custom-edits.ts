// What other features' screens may use of custom edits.
export { OwnEdits } from './own-edits.tsx'
