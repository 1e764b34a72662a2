export { appearanceLikeness } from './appearance.ts'
export { assessFace, type FaceQuality, faceWarnings } from './assess-face.ts'
export { isCoveredByHand } from './covered-face.ts'
export { describeFace, likeness } from './face-models.ts'
export { faceMeshes, findFaces } from './faces.ts'
export { eyeOpenness, type Head, headFrame, measureHead, mouthOpenness } from './head.ts'
export {
  beyondEdge,
  featurePoints,
  keepMeshes,
  keptMeshes,
  meshBox,
  moveFace,
  moveMesh,
  placeMesh,
} from './mesh-geometry.ts'
export { faceRegion, featureRegion, fillPolygon, outlineOf } from './regions.ts'
export { findRotatedFaces, steadyFace, uprightFace } from './upright-face.ts'
