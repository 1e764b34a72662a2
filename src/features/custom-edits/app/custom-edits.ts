export { OwnEdits } from './own-edits.tsx'
