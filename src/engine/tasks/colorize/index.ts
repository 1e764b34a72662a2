export {
  applyColours,
  type Chroma,
  chromaOf,
  estimateColours,
  greyPicture,
  isUsableColouring,
  meanChroma,
} from './colorize.ts'
export { labOf, labToRgb } from './lab.ts'
export { classifyPhotoColours, readFadedLightness } from './read-photo.ts'
