const idleLimitMs = 60_000
const timeLimitMs = 60_000

interface WorkerLane {
  /** Undefined where the device cannot make the preview. */
  run(task: PreviewTask, mayLoad: boolean): Promise<DevicePicture | undefined>
  /** Rehearses in a new worker: warm code is several times faster. */
  warm(task: PreviewTask, mayLoad: boolean): void
  end(): void
}

export function createWorkerLane(start: () => Worker): WorkerLane {
  let worker: Worker | undefined
  let ending: ReturnType<typeof setTimeout> | undefined
  let runs = 0
  const waiting = new Map<number, (picture: DevicePicture | undefined) => void>()

  function end(): void {
    clearTimeout(ending)
    worker?.terminate()
    worker = undefined
    for (const resolve of waiting.values()) resolve(undefined)
    waiting.clear()
  }

  function started(): Worker {
    if (worker) return worker
    worker = start()
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => {
      waiting.get(data.id)?.(data.picture)
      waiting.delete(data.id)
      wait()
    })
    worker.addEventListener('error', end)
    return worker
  }

  function wait(): void {
    clearTimeout(ending)
    ending = setTimeout(end, waiting.size > 0 ? timeLimitMs : idleLimitMs)
  }

  function send(order: Omit<WorkerRequest, 'id'>): Promise<DevicePicture | undefined> {
    const id = runs++
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      try {
        started().postMessage({ id, ...order } satisfies WorkerRequest)
        wait()
      } catch {
        end()
      }
    })
  }

  return {
    end,
    run: (task, mayLoad) => send({ task, mayLoad, rehearsal: false }),
    warm(task, mayLoad) {
      if (worker) wait()
      else void send({ task, mayLoad, rehearsal: true })
    },
  }
}

/** The free part of what the server's generation would make, at reduced size. */
export interface PreviewTask {
  tool: string
  /** In pixels of the reduced first picture. */
  params: unknown
  /** Encoded or decoded; every input of the tool is present. */
  inputs: Readonly<Record<string, readonly (Blob | ImageBitmap)[]>>
  /** Equal names mean equal pictures, which are decoded once. */
  names: Readonly<Record<string, readonly string[]>>
  /** Longest side in pixels to which each picture is reduced. */
  side: number
  /** Equal keys mean that only rendering differs: the last layers are reused. */
  key: string
}

/** The first output, watermarked, as a PNG. */
export interface DevicePicture {
  blob: Blob
  width: number
  height: number
}

export interface WorkerRequest {
  id: number
  task: PreviewTask
  /** Warm-up: a drawn figure replaces the pictures, and nothing is returned. */
  rehearsal: boolean
  /** The connection allows the large network, too. */
  mayLoad: boolean
}

export interface WorkerResponse {
  id: number
  picture?: DevicePicture
  reason?: string
}
