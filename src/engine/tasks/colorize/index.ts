export { applyColours, findColours } from './colorize.ts'
export { labOf } from './lab.ts'
export { isColoured, readOldPhoto } from './restore.ts'
