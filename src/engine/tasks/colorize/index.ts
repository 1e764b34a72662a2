export { applyColours, coloursOf, findColours, greyPicture } from './colorize.ts'
export { labOf, levelsOf } from './lab.ts'
export { isColoured, readOldPhoto } from './restore.ts'
