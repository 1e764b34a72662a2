export { applyColours, coloursOf, findColours, greyPicture } from './colorize.ts'
export { labOf, levelsOf } from './lab.ts'
export { coloursOfPhoto, readOldPhoto } from './restore.ts'
