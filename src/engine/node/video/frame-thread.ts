import { Piscina } from 'piscina'
import type { Frame, Mask, VideoSubject } from '../../video/frame.ts'

/** A frame with where its subject is. */
export interface MaskedFrame {
  frame: Frame
  mask: Mask
  /** Largest share of a frame that was subject so far, 0 to 1; 0 where nobody counted. */
  largest: number
}

/** A frame of a video in which the subject is to be found, or the video's end. */
export type MaskTask = { video: number } & ({ subject: VideoSubject; frame: Frame } | { end: true })

/** How long threads keep what they have loaded for the next video. */
const idleLimit = 60_000
/** So that no thread waits for its next frame. */
const framesAhead = 4

const pools = new Map<string, Piscina>()

/**
 * Threads that work on frames with the `perform` of a module; each begins with its frames in the
 * order given. No codec runs in them: as threads they can bring the process down.
 */
export function frameThreads(entry: URL, count: number): Piscina {
  const known = pools.get(entry.href)
  if (known) return known
  const pool = new Piscina({
    filename: entry.href,
    name: 'perform',
    minThreads: 0,
    maxThreads: count,
    concurrentTasksPerWorker: framesAhead,
    idleTimeout: idleLimit,
    execArgv: [],
  })
  pools.set(entry.href, pool)
  return pool
}

/** Does work with a frame, whose memory it takes; what nobody asks for any more fails unheard. */
export function runFrame<Made>(threads: Piscina, work: object, { y }: Frame): Promise<Made> {
  const made: Promise<Made> = threads.run(work, { transferList: [y.buffer as ArrayBuffer] })
  made.catch(() => {})
  return made
}

/** What a thread gives back, with the memory of the frame in it. */
export function withMemory<Result>(result: Result, { y }: Frame): Result {
  const moved = { [Piscina.transferableSymbol]: y.buffer as ArrayBuffer, [Piscina.valueSymbol]: result }
  return Piscina.move(moved as never) as Result
}
