// Public interface of custom edits for other features' screens.
export { OwnEdits } from './own-edits.tsx'
