export { appearanceLikeness } from './appearance.ts'
export { assessFace, type FaceQuality, faceWarnings, qualityWarnings } from './assess-face.ts'
export { isCoveredByHand } from './covered-face.ts'
export { describeFace, embeddingSimilarity, faceMeshes, findFaces, samePersonThreshold } from './faces.ts'
export { eyeOpenness, type Head, headFrame, measureHead, mouthOpenness } from './head.ts'
export {
  featurePoints,
  flattenMesh,
  matteCoverageOfFace,
  meshBox,
  meshOffset,
  moveFace,
  moveMesh,
  packMeshes,
  placeMesh,
  shareOutsidePicture,
  unflattenMesh,
  unpackMeshes,
} from './mesh-geometry.ts'
export { photoLight } from './photo-light.ts'
export { faceRegion, facialFeatures, meshArea, outlineOf } from './regions.ts'
export { findRotatedFaces, refineFaceMesh, uprightFace } from './upright-face.ts'
