export { hasBeard, hasFringe } from './facial-hair.ts'
export { type PicturedFace, type SwapPatch, swapFace, wearsGlasses } from './swap-face.ts'
