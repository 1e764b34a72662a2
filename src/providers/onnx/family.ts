import type { Picture, Plane } from '#engine/image/picture.ts'
import type { TaskInput, TaskName, TaskResult } from '#engine/task-types.ts'

/** Row-major. */
export interface OnnxTensor {
  type: 'float32' | 'uint8' | 'int64' | 'int32' | 'float16' | 'bool'
  dims: readonly number[]
  /** `float16` as its bits. */
  data: Float32Array | Uint8Array | BigInt64Array | Int32Array | Uint16Array
}

/**
 * Without ONNX Runtime's arena and memory pattern: IS-Net takes 0.7 GB this way, and 2.3 with them.
 */
export interface OnnxSession {
  /** A dimension is a number, or the name of a free one. */
  inputs: readonly { name: string; type: string; shape: readonly (number | string)[] }[]
  outputs: readonly string[]
  /** Limited to `wanted`, since others may be large and are copied between processes. */
  run(feeds: Record<string, OnnxTensor>, wanted?: readonly string[]): Promise<Record<string, OnnxTensor>>
}

export type OnnxSessions = Record<string, OnnxSession>

interface Family<Name extends TaskName> {
  id: string
  task: Name
  /** Parts of a model, each in a file, such as `encoder` and `decoder`. */
  files: readonly string[]
}

/** Task implementation for a kind of model. Independent of files and processes. */
export interface ModelFamily<Name extends TaskName = TaskName> extends Family<Name> {
  perform(
    work: TaskInput[Name],
    sessions: OnnxSessions,
    signal: AbortSignal,
    /** From 0 to 1; only with several passes. */
    onProgress?: (share: number) => void,
  ): Promise<TaskResult[Name]>
}

/** Yields the alpha of each frame, all of one size, in order. */
export interface VideoFamily extends Family<'videoMatte'> {
  findMattes(frames: AsyncIterable<Picture>, sessions: OnnxSessions): AsyncIterable<Plane>
}
