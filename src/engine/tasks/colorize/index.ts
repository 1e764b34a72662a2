export { applyColours, findColours } from './colorize.ts'
export { labOf, levelsOf } from './lab.ts'
export { isColoured, readOldPhoto } from './restore.ts'
