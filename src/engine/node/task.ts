import type { WarningCode } from '#tools/tool.ts'
import type { EngineError } from '../error.ts'

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

/** What a thread tells the pool. */
export type ThreadMessage =
  | { kind: 'progress'; phase: 'detecting' | 'generating'; fraction: number }
  | { kind: 'done'; outcome: EngineOutcome }
  | { kind: 'failed'; code: EngineError['code']; reason: string }
