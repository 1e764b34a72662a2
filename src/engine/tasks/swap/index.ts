export { hasBeard, hasHairOverBrow } from './facial-hair.ts'
export { faceContrast, type PicturedFace, type SwapPatch, swapFace, wearsGlasses } from './swap-face.ts'
