export { hasFringe } from './fringe.ts'
export { pasteMark } from './mark.ts'
export { type PicturedFace, type SwapPatch, swapFace, wearsGlasses } from './swap-face.ts'
