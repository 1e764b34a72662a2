export { applyColours, coloursOf, estimateColours, greyPicture } from './colorize.ts'
export { labOf, levelsOf } from './lab.ts'
export { classifyPhotoColours, readFadedLightness } from './read-photo.ts'
