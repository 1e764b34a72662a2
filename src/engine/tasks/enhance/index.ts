export { enhancePart, faceDetail, partWithSurroundings, type WholePicture } from './detail.ts'
export { enhance, measureNoise, noiseRows } from './enhance.ts'
export { correctLight } from './light.ts'
export { findScratches } from './scratches.ts'
