import type { Picture, Plane, Size, VideoSource } from './image/picture.ts'

/** In pixels of the picture; `keep` is false to exclude the area. */
export interface TapPoint {
  x: number
  y: number
  keep: boolean
}

/**
 * Centres of both eyes, tip of the nose, corners of the mouth; from left to right in the picture.
 */
export type FacePoints = readonly (readonly [x: number, y: number])[]

/** Tasks that providers may do. Sizes and positions are in pixels; pictures are opaque. */
export interface TaskInput {
  /** The kind is detected if `subject` is absent. */
  subjectMatte: { picture: Picture; subject?: 'person' | 'thing' }
  selectObject: { picture: Picture; points: readonly TapPoint[] }
  inpaint: { picture: Picture; mask: Plane }
  /** Enlarges both sides by `factor`; `denoise` is from 0 (all grain stays) to 1. */
  upscale: { picture: Picture; factor: number; denoise: number }
  /** `strength` is from 0 (unchanged) to 1. */
  restoreFaces: { picture: Picture; faces: readonly FacePoints[]; strength: number }
  colorize: { picture: Picture }
  /**
   * Deterministic for a seed. The picture and the matte of its subject show the foreground,
   * `reference` the wanted place, in a size of its own.
   */
  background: {
    picture: Picture
    matte?: Plane
    reference?: Picture
    prompt: string
    seed: number
    width: number
    height: number
  }
  /** Generates a photograph of the same person; `outfit` changes the clothes. */
  portrait: PromptedInput
  outfit: PromptedInput
  cartoon: PromptedInput
  /** Changes only what the prompt says. */
  edit: PromptedInput
  restorePhoto: { picture: Picture }
  /** Enlarges both sides by `factor` and adds invented detail. */
  addDetail: { picture: Picture; factor: number; seed: number }
  parseFace: { picture: Picture }
  depth: { picture: Picture }
  safety: { picture: Picture }
  /** Mattes people in a video, or in its first `seconds`. */
  videoMatte: { video: VideoSource; seconds?: number }
}
export type TaskName = keyof TaskInput

/** The prompt is in English; the result is deterministic for a seed. */
interface PromptedInput {
  picture: Picture
  prompt: string
  seed: number
}

/** The class of each pixel, row by row; data.length = width · height. */
export interface FaceLabels extends Size {
  data: Uint8Array
}

/**
 * Planes and pictures have the size of the given picture, unless the task specifies another size.
 */
export interface TaskResult {
  /** 1 is the subject. */
  subjectMatte: { alpha: Plane }
  selectObject: { alpha: Plane }
  inpaint: { picture: Picture }
  upscale: { picture: Picture }
  restoreFaces: { picture: Picture }
  colorize: { picture: Picture }
  background: { picture: Picture }
  addDetail: { picture: Picture }
  /** This and the following four tasks may return another size. */
  portrait: { picture: Picture }
  outfit: { picture: Picture }
  cartoon: { picture: Picture }
  edit: { picture: Picture }
  restorePhoto: { picture: Picture }
  /** CelebAMask-HQ's nineteen classes: 1 skin, 2 and 3 brows, 17 hair, 16 cloth. */
  parseFace: { labels: FaceLabels }
  /** 1 is nearest. */
  depth: { depth: Plane }
  /** Probability that the picture must not be used. */
  safety: { unsafe: number }
  /** A mask for each frame, as a small grey video. */
  videoMatte: { masks: VideoSource }
}
