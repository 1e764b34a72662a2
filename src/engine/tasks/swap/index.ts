export { hasBeard, hasHairOverBrow } from './facial-hair.ts'
export { type FaceInPicture, faceContrast, type SwapPatch, swapFace, wearsGlasses } from './swap-face.ts'
