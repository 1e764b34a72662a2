import type { DevicePicture, PreviewTask, WorkerRequest, WorkerResponse } from './messages.ts'

/** Milliseconds without a task after which the worker ends and frees its memory. */
const idle = 60_000
/** Milliseconds after which a task counts as hanging. */
const timeLimit = 60_000

/** A single worker for all tasks, started on demand and ended when idle. */
export interface WorkerLane {
  /** Undefined where the device cannot make it, for any reason. */
  run(task: PreviewTask): Promise<DevicePicture | undefined>
  /** Starts the worker, unless it runs, with a rehearsal: warm code is several times faster. */
  warm(task: PreviewTask): void
  /** Ends the worker; running tasks return nothing. */
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

  /** Ends the worker after the idle time. */
  function wait(): void {
    clearTimeout(ending)
    ending = setTimeout(end, waiting.size > 0 ? timeLimit : idle)
  }

  function send(task: PreviewTask, rehearsal: boolean): Promise<DevicePicture | undefined> {
    const id = runs++
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      try {
        started().postMessage({ id, task, rehearsal } satisfies WorkerRequest)
        wait()
      } catch {
        end()
      }
    })
  }

  return {
    end,
    run: (task) => send(task, false),
    warm(task) {
      if (worker) wait()
      else void send(task, true)
    },
  }
}
