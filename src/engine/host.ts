import type { Box } from '#contract/media.ts'
import type { MadeVideo, Matte, Picture, Plane, VideoFile, VideoSource } from '#engine/image/picture.ts'
import type { Frame, VideoSubject } from './video/frame.ts'

/**
 * A face mesh as MediaPipe's face model numbers it: 468 points, each x and y in pixels of the
 * picture and a depth in the same scale.
 */
export type MeshPoints = readonly (readonly [number, number, number])[]

/** A person's face: its box in pixels of the picture, and the detector's confidence, 0 to 1. */
export interface Face {
  box: Box
  confidence: number
  /**
   * How well a face mesh could be fitted, 0 to 1: animals and patterns that fool the detector stay
   * low.
   */
  fit: number
  points: MeshPoints
  /**
   * Turned to the side, up or down, and tilted, in radians; all 0 when the face looks straight into
   * the camera.
   */
  pose: { yaw: number; pitch: number; roll: number }
}

/** A face mesh, and how well it fits, 0 to 1. */
export interface FaceMesh {
  points: MeshPoints
  fit: number
}

/** How a face looks, by FaceRes (Savchenko 2019). */
export interface FaceDescription {
  /**
   * A unit vector to be compared by `likeness`: pictures of one person are nearer to each other
   * than to those of another one, though similar people are near too.
   */
  embedding: Float32Array
  /** Years; right to about six in the mean, and worse for poor pictures. */
  age: number
}

/**
 * An everyday thing: its box in pixels of the picture, the detector's confidence, 0 to 1, and its
 * class in COCO, e.g. `cup`.
 */
export interface DetectedObject {
  box: Box
  confidence: number
  label: string
}

/** How the people in a video are put before something else. */
export interface VideoConversion {
  /** `webm` holds VP9, with alpha where nothing stands behind, and Opus; `mp4` H.264 and AAC. */
  format: 'webm' | 'mp4'
  /** Seconds of the result; the whole video unless given. */
  until?: number
  /** Longest side of the frames in pixels; larger ones are reduced first. */
  maxSide?: number
  /**
   * What to look for in each frame, or the masks that another conversion of the same frames
   * returned.
   */
  masks: VideoSource | { subject: VideoSubject }
  /** What stands behind the subject; a frame of the video's size is asked for once. */
  backdrop: 'none' | 'blurred' | ((like: Frame) => Promise<Frame>)
  /** Makes every frame a watermarked sample. */
  watermarked?: boolean
  /**
   * Sees each frame of the result in order, with its time and the length of the whole video in
   * seconds; the frame's memory is used again afterwards.
   */
  onFrame(frame: Frame, seconds: number, length: number): void
}

/** A finished video. */
export interface ConvertedVideo {
  file: Uint8Array
  contentType: string
  extension: string
  width: number
  height: number
  frames: number
  seconds: number
  /** Whether sound of the input could not be taken over. */
  soundLost: boolean
  /**
   * The masks of its frames as a small grey video, from which the same frames can be put before
   * something else; absent where they were given.
   */
  masks?: MadeVideo
  /** Largest share of a frame that was subject, 0 to 1. */
  largest: number
}

/**
 * What a tool may ask of the machine it runs on. The Node host (`engine/node`) and, later, a
 * browser host provide it; tools and the shared engine code know nothing of either.
 */
export interface EngineHost {
  /** Aborted when the run is cancelled or its time is up. */
  signal: AbortSignal
  /** Tells how far the run is, 0 to 1, and in which phase. */
  progress(phase: 'detecting' | 'generating', fraction: number): void
  /**
   * Resamples a picture, or a part of it on whole pixels that lies within it, to exactly width ×
   * height pixels.
   */
  resize(picture: Picture, width: number, height: number, part?: Box): Promise<Picture>
  /**
   * The same picture for being resized several times, with less work each time; nobody may change
   * its pixels from now on.
   */
  cacheForResizing(picture: Picture): Picture
  /**
   * Person probability for a picture of any size, as the model gives it: 256×256, or 256×144 by the
   * model for landscapes; MediaPipe selfie segmentation. `general` by default.
   */
  personMask(picture: Picture, model?: 'general' | 'landscape'): Promise<Plane>
  /** Faces in a picture, the largest first. */
  faces(picture: Picture): Promise<Face[]>
  /**
   * The mesh of the face that fills two thirds of a square of 192 pixels, upright, in its pixels;
   * cut by `meshIn`.
   */
  faceMesh(square: Picture): Promise<FaceMesh>
  /** What such a face looks like in a square of 224 pixels; cut by `describeFace`. */
  describeFace(square: Picture): Promise<FaceDescription>
  /** Hands in a picture, the surest first. */
  hands(picture: Picture): Promise<DetectedObject[]>
  /** Everyday things in a picture, the surest first. */
  objects(picture: Picture): Promise<DetectedObject[]>
  /**
   * How much each pixel of a square of 320 pixels belongs to what stands out in it, stretched so
   * that the most salient one has 255; U²-Net (Qin et al. 2020). Throws
   * `engine.crashed`, and `engine.timeout` when the network stalls.
   */
  salience(square: Picture): Promise<Matte>
  /**
   * Converts a video as one stream with bounded memory; sound, times and the number of frames are
   * kept. Throws `upload.video_unreadable` and `upload.video_too_large`.
   */
  convertVideo(video: VideoFile, conversion: VideoConversion): Promise<ConvertedVideo>
  /**
   * One frame for each place, a share of the video's length, in order, at most `maxSide` pixels on
   * the longer side. Throws `upload.video_unreadable` and `upload.video_too_large`.
   */
  videoFrames(video: VideoFile, places: readonly number[], maxSide: number): Promise<Frame[]>
}
