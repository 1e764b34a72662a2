import type { Picture, Plane, Size, VideoSource } from './image/picture.ts'

/**
 * A place that somebody tapped, in pixels of the picture; `keep` is false where it marks what is
 * not meant.
 */
export interface TappedPoint {
  x: number
  y: number
  keep: boolean
}

/**
 * Where the features of a face are: the middles of both eyes, the tip of the nose, the corners of
 * the mouth; seen from the left.
 */
export type FacePoints = readonly (readonly [x: number, y: number])[]

/**
 * The parts of the tools' work that others than the engine may do, and what each is given. Sizes
 * and places are in pixels of the picture, which is opaque.
 */
export interface TaskWork {
  /** The subject: people, or a thing; whichever there is unless told. */
  subjectMatte: { picture: Picture; subject?: 'person' | 'thing' }
  selectObject: { picture: Picture; points: readonly TappedPoint[] }
  /** `mask` is 1 where the picture is to be made anew. */
  inpaint: { picture: Picture; mask: Plane }
  /** The picture `factor` times as wide and high; `denoise` from 0 (all grain stays) to 1. */
  upscale: { picture: Picture; factor: number; denoise: number }
  /** `strength` from 0 (as it was) to 1. */
  restoreFaces: { picture: Picture; faces: readonly FacePoints[]; strength: number }
  /** A grey picture. */
  colorize: { picture: Picture }
  /**
   * A scene of this size that the words describe; the same seed gives the same one. The picture and
   * the matte of its subject show what will stand before it.
   */
  background: { picture: Picture; matte?: Plane; prompt: string; seed: number; width: number; height: number }
  /** A photograph of the same person as the words say; so the outfit. */
  portrait: WordedWork
  outfit: WordedWork
  /** The picture drawn in the manner that the words name. */
  cartoon: WordedWork
  /** The picture changed in nothing but what the words say. */
  edit: WordedWork
  /** An old photograph in colour and without its damage. */
  restorePhoto: { picture: Picture }
  /** The picture `factor` times as wide and high, with detail that it does not have. */
  addDetail: { picture: Picture; factor: number; seed: number }
  parseFace: { picture: Picture }
  depth: { picture: Picture }
  safety: { picture: Picture }
  /** People in a video, or in its first seconds. */
  videoMatte: { video: VideoSource; seconds?: number }
}
export type TaskName = keyof TaskWork

/** Words in English say what is to be made of the picture; the same seed makes the same of it. */
interface WordedWork {
  picture: Picture
  prompt: string
  seed: number
}

/** The class of each pixel, row by row; data.length = width · height. */
export interface FaceLabels extends Size {
  data: Uint8Array
}

/** What comes back. Planes and pictures are as large as the picture given, or as the work says. */
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
  /** Of these five the picture may have another size than the one given. */
  portrait: { picture: Picture }
  outfit: { picture: Picture }
  cartoon: { picture: Picture }
  edit: { picture: Picture }
  restorePhoto: { picture: Picture }
  /** CelebAMask-HQ's nineteen classes: 1 skin, 2 and 3 brows, 17 hair, 16 cloth. */
  parseFace: { labels: FaceLabels }
  /** 1 is nearest. */
  depth: { depth: Plane }
  /** How surely the picture must not be used. */
  safety: { unsafe: number }
  /** One for each frame, as a small grey video. */
  videoMatte: { masks: VideoSource }
}
