import type { Picture, Plane } from '#engine/image/picture.ts'
import type { TaskName, TaskResult, TaskWork } from '#engine/task-work.ts'

/** A tensor as a model takes and gives it, row by row. */
export interface OnnxTensor {
  type: 'float32' | 'uint8' | 'int64' | 'int32' | 'float16' | 'bool'
  dims: readonly number[]
  /** `float16` as its bits. */
  data: Float32Array | Uint8Array | BigInt64Array | Int32Array | Uint16Array
}

/**
 * An open model file. Open it without ONNX Runtime's arena and memory pattern: IS-Net takes 0.7 GB
 * so, and 2.3 with them.
 */
export interface OnnxSession {
  /** A dimension is a number, or the name of one that may be of any size. */
  inputs: readonly { name: string; type: string; shape: readonly (number | string)[] }[]
  outputs: readonly string[]
  /**
   * The outputs by name; only the `wanted` ones where they are named, for others may be large and
   * have to be carried between processes.
   */
  run(feeds: Record<string, OnnxTensor>, wanted?: readonly string[]): Promise<Record<string, OnnxTensor>>
}

/** Open models, by the names of the parts that their family has. */
export type OnnxSessions = Record<string, OnnxSession>

interface Family<Name extends TaskName> {
  id: string
  task: Name
  /** The parts that such a model has, each a file of its own, e.g. `encoder` and `decoder`. */
  files: readonly string[]
}

/** How models of one kind do a task. It knows neither files nor processes. */
export interface ModelFamily<Name extends TaskName = TaskName> extends Family<Name> {
  perform(
    work: TaskWork[Name],
    sessions: OnnxSessions,
    signal: AbortSignal,
    /** Told how far it is, 0 to 1, where it is more than one run of a network. */
    onProgress?: (share: number) => void,
  ): Promise<TaskResult[Name]>
}

/** The same for videos: alpha of each of the frames, which are of one size, in their order. */
export interface VideoFamily extends Family<'videoMatte'> {
  findMattes(frames: AsyncIterable<Picture>, sessions: OnnxSessions): AsyncIterable<Plane>
}
