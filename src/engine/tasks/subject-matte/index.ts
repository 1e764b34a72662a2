export { assessSubject, matteUncertainty, maxMatteUncertainty } from './assess.ts'
export { animalLabels, findObjects, mainObjects } from './find-object.ts'
export { blurredBackground, cutOut, lensBackground } from './foreground.ts'
export { averageView, greyMirroredVariant, modelInput, plainVariant } from './person-views.ts'
export { enlargeMatte, refineMatte } from './refine.ts'
export { segment } from './segment.ts'
export { segmentAtTap, tapPictureSide } from './segment-at-tap.ts'
export { applyStrokes, correctCutOut, softenEdges } from './strokes.ts'
export {
  explainUnclearSubject,
  findMatte,
  keepTransparency,
  reduceForSearch,
  subjectMatte,
  subjectMatteInput,
} from './subject-matte.ts'
