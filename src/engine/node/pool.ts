import type { WarningCode } from '#tools/tool.ts'

/** An encoded file on its way to or from an engine thread. */
export interface EngineFile {
  /** The extra's or layer's name; empty for sources and outputs. */
  label: string
  contentType: string
  bytes: Uint8Array
}

/** A file an engine thread made; width and height in pixels. */
export interface EngineOutput extends EngineFile {
  width: number
  height: number
}

/** A whole run (`kept` absent), or the free rendering of one that was kept. */
export interface EngineTask {
  tool: string
  params: unknown
  sources: EngineFile[]
  extras: EngineFile[]
  kept?: EngineFile[]
}

export interface EngineOutcome {
  outputs: EngineOutput[]
  thumbnail: EngineOutput
  /** Lossless layers from which the result can be rendered again. */
  kept: EngineOutput[]
  warnings: WarningCode[]
  /** Size of each source, upright. */
  sourceSizes: { width: number; height: number }[]
}

export interface EngineRunOptions {
  signal?: AbortSignal
  /** Milliseconds after which the thread is stopped and the run fails with `engine.timeout`. */
  timeLimit: number
  onProgress?: (phase: 'detecting' | 'generating', fraction: number) => void
}

/** Worker threads that decode, compute and encode. */
export interface EnginePool {
  /** Threads it may use at once. */
  size: number
  /** Rejects with an EngineError; an aborted signal rejects with the signal's reason. A crashed thread is replaced and its run rejects with `engine.crashed`. */
  run(task: EngineTask, options: EngineRunOptions): Promise<EngineOutcome>
  close(): Promise<void>
}
