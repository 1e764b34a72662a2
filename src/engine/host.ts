import type { Box } from '#contract/media.ts'
import type { EncodedVideo, Matte, Picture, Plane, VideoFile, VideoSource } from '#engine/image/picture.ts'
import type { Frame, VideoSubject } from './video/frame.ts'

/**
 * A face mesh in the numbering of MediaPipe's face model: 468 points, each x and y in pixels of the
 * picture and a depth in the same scale.
 */
export type MeshPoints = readonly (readonly [number, number, number])[]

/** A detected face: its box in pixels of the picture, and the detector's confidence, 0 to 1. */
export interface Face {
  box: Box
  confidence: number
  /** Fit of the face mesh, 0 to 1; low for animals and patterns that deceive the detector. */
  fit: number
  points: MeshPoints
  /** Rotation in radians; all 0 when the face looks straight into the camera. */
  pose: { yaw: number; pitch: number; roll: number }
}

/** A face mesh, and its fit, 0 to 1. */
export interface FaceMesh {
  points: MeshPoints
  fit: number
}

/** Result of FaceRes (Savchenko 2019). */
export interface FaceDescription {
  /**
   * A unit vector for comparison by `embeddingSimilarity`: vectors of one person are closer to each
   * other than to another person's, although similar people are close too.
   */
  embedding: Float32Array
  /** Age in years, with a mean error of about six years, more for poor pictures. */
  age: number
}

/**
 * An everyday object: its box in pixels of the picture, the detector's confidence, 0 to 1, and its
 * COCO class, e.g. `cup`.
 */
export interface DetectedObject {
  box: Box
  confidence: number
  label: string
}

/** Options for replacing a video's background. */
export interface VideoConversion {
  /** `webm` has VP9, with alpha if the backdrop is `none`, and Opus; `mp4` has H.264 and AAC. */
  format: 'webm' | 'mp4'
  /** Length of the result in seconds; the whole video if absent. */
  until?: number
  /** Longest side of the frames in pixels; larger ones are reduced first. */
  maxSide?: number
  /** The subject to find in each frame, or the masks from another conversion of the same frames. */
  masks: VideoSource | { subject: VideoSubject }
  /**
   * Background of the subject; the function is called once and returns a frame of the video's size.
   */
  backdrop: 'none' | 'blurred' | ((like: Frame) => Promise<Frame>)
  /** Makes every frame a watermarked sample. */
  watermarked?: boolean
  /**
   * Receives each frame of the result in order, with its time and the length of the whole video in
   * seconds; the frame's memory is reused afterwards.
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
  /** True if sound of the input could not be included. */
  soundLost: boolean
  /**
   * The masks of its frames as a small grey video, for compositing the same frames again; absent if
   * masks were given.
   */
  masks?: EncodedVideo
  /** Largest share of the subject in a frame, 0 to 1. */
  largest: number
}

/**
 * Services of the runtime for tools, provided by the Node host (`engine/node`) and the browser host
 * (`engine/browser`). Tools and the shared engine code know neither of them.
 */
export interface EngineHost {
  /** Aborted when the generation is cancelled or times out. */
  signal: AbortSignal
  /** Reports progress, 0 to 1, in a phase. */
  progress(phase: 'detecting' | 'generating', fraction: number): void
  /** Resamples a picture, or a part on whole pixels inside it, to exactly width × height pixels. */
  resize(picture: Picture, width: number, height: number, part?: Box): Promise<Picture>
  /** Prepares a picture for being resized several times; its pixels must not change afterwards. */
  cacheForResizing(picture: Picture): Picture
  /**
   * Person probability for a picture of any size, at the size of MediaPipe's selfie segmentation:
   * 256×256, or 256×144 for the landscape model. `general` by default.
   */
  personMask(picture: Picture, model?: 'general' | 'landscape'): Promise<Plane>
  /** Faces in a picture, largest first. */
  faces(picture: Picture): Promise<Face[]>
  /**
   * The mesh of an upright face that fills two thirds of a square of 192 pixels, in its pixels; use
   * `meshIn`.
   */
  faceMesh(square: Picture): Promise<FaceMesh>
  /** The embedding and age of a face in a square of 224 pixels; use `describeFace`. */
  describeFace(square: Picture): Promise<FaceDescription>
  /** Hands in a picture, most confident first. */
  hands(picture: Picture): Promise<DetectedObject[]>
  /** Everyday objects in a picture, most confident first. */
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
   * One frame for each position (a share of the video's length, ascending), at most `maxSide`
   * pixels on the longer side. Throws `upload.video_unreadable` and `upload.video_too_large`.
   */
  videoFrames(video: VideoFile, places: readonly number[], maxSide: number): Promise<Frame[]>
}
