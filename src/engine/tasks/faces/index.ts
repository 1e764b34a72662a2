export { appearanceLikeness } from './appearance.ts'
export { assessFace, type FaceQuality, faceWarnings, qualityWarnings } from './assess-face.ts'
export { isCoveredByHand } from './covered-face.ts'
export { describeFace, faceMeshes, findFaces, likeness, samePerson } from './faces.ts'
export { eyeOpenness, type Head, headFrame, measureHead, mouthOpenness } from './head.ts'
export {
  beyondEdge,
  faceShare,
  featurePoints,
  flatMesh,
  keepMeshes,
  keptMeshes,
  meshBox,
  meshOf,
  meshOffset,
  moveFace,
  moveMesh,
  placeMesh,
} from './mesh-geometry.ts'
export { faceRegion, features, meshArea, outlineOf } from './regions.ts'
export { findRotatedFaces, steadyFace, uprightFace } from './upright-face.ts'
