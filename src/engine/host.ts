import type { Surroundings } from '#engine/image/light-probe.ts'
import type { EncodedVideo, Matte, Picture, Plane, VideoFile, VideoSource } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'
import type { AnyLocationId } from './scenes.ts'
import type { Frame, VideoSubject } from './video/frame.ts'

/**
 * 468 points in the numbering of MediaPipe's face model; x, y and depth in pixels of the picture.
 */
export type MeshPoints = readonly (readonly [number, number, number])[]

/** Box in pixels of the picture; confidence 0 to 1. */
export interface Face {
  box: Box
  confidence: number
  /** Fit of the face mesh, 0 to 1; low for animals and patterns that deceive the detector. */
  fit: number
  points: MeshPoints
  /** In radians; all 0 when the face looks straight into the camera. */
  pose: { yaw: number; pitch: number; roll: number }
}

export interface FaceMesh {
  points: MeshPoints
  fit: number
}

/** Result of FaceRes (Savchenko 2019). */
export interface FaceDescription {
  /** A unit vector for `embeddingSimilarity`; similar people are close too. */
  embedding: Float32Array
  /** In years, with a mean error of about six years, more for poor pictures. */
  age: number
}

/** Box in pixels of the picture, confidence 0 to 1, and COCO class, e.g. `cup`. */
export interface DetectedObject {
  box: Box
  confidence: number
  label: string
}

export interface VideoConversion {
  /** `webm`: VP9, with alpha if the backdrop is `none`, and Opus; `mp4`: H.264 and AAC. */
  format: 'webm' | 'mp4'
  /** Length of the result in seconds; the whole video if absent. */
  until?: number
  /** Longest side in pixels; larger frames are reduced first. */
  maxSide?: number
  masks: VideoSource | { subject: VideoSubject }
  /** The function is called once and returns a frame of the video's size. */
  backdrop: 'none' | 'blurred' | ((like: Frame) => Promise<Frame>)
  watermarked?: boolean
  /** With the visible AI label in each frame. */
  labelled?: boolean
  /** The frame's memory is reused afterwards; times are in seconds. */
  onFrame(frame: Frame, seconds: number, length: number): void
}

export interface ConvertedVideo {
  file: Uint8Array
  contentType: string
  extension: string
  width: number
  height: number
  frames: number
  seconds: number
  /** Sound of the input could not be included. */
  soundLost: boolean
  /**
   * Masks as a small grey video for compositing the same frames again; absent if masks were given.
   */
  masks?: EncodedVideo
  /** Largest share of the subject in a frame, 0 to 1. */
  maxSubjectShare: number
}

/** Services of the runtime for tools, provided by `engine/node` and `engine/browser`. */
export interface EngineHost {
  /** Aborted when the generation is cancelled or times out. */
  signal: AbortSignal
  /** `fraction` is from 0 to 1. */
  progress(phase: 'detecting' | 'generating', fraction: number): void
  /** Resamples a picture, or a part on whole pixels inside it, to exactly width × height pixels. */
  resize(picture: Picture, width: number, height: number, part?: Box): Promise<Picture>
  /** Prepares repeated resizing; the picture's pixels must not change afterwards. */
  cacheForResizing(picture: Picture): Picture
  /** A picture is drawn again with other options; its pixels and its matte never change. */
  redraws?: true
  /** 256×256, the size of MediaPipe's selfie segmentation, or 256×144 for the landscape model. */
  personMask(picture: Picture, model?: 'general' | 'landscape'): Promise<Plane>
  /** Largest first. */
  faces(picture: Picture): Promise<Face[]>
  /** An upright face must fill two thirds of a square of 192 pixels; use `meshIn`. */
  faceMesh(square: Picture): Promise<FaceMesh>
  /** For a face in a square of 224 pixels; use `describeFace`. */
  describeFace(square: Picture): Promise<FaceDescription>
  hands(picture: Picture): Promise<DetectedObject[]>
  /** Both are most confident first. */
  objects(picture: Picture): Promise<DetectedObject[]>
  /**
   * Salience of each pixel of a square of 320 pixels, stretched to a maximum of 255; U²-Net (Qin et
   * al. 2020). Throws `engine.crashed`, and `engine.timeout` when the network stalls.
   */
  salience(square: Picture): Promise<Matte>
  /**
   * View and light of a location; cached. Throws `tool.scene_removed` for an added one whose file
   * did not come with the task.
   */
  surroundings(id: AnyLocationId): Promise<Surroundings>
  /**
   * Converts a video as one stream with bounded memory; keeps sound, times and the number of
   * frames. Throws `upload.video_unreadable` and `upload.video_too_large`.
   */
  convertVideo(video: VideoFile, conversion: VideoConversion): Promise<ConvertedVideo>
  /**
   * A frame for each position (share of the video's length, ascending), the longer side at most
   * `maxSide` pixels. Throws `upload.video_unreadable` and `upload.video_too_large`.
   */
  videoFrames(video: VideoFile, positions: readonly number[], maxSide: number): Promise<Frame[]>
}
