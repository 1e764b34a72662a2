import { readFile } from 'node:fs/promises'
import { expect, vi } from 'vitest'
import { EngineError } from '#engine/error.ts'
import type { EnginePool } from '#tools/threads/pool.ts'
import type { EngineOutcome, EngineRunOptions, EngineTask } from '#tools/threads/task.ts'

type Behaviour = (task: EngineTask, options: EngineRunOptions) => Promise<EngineOutcome>
type Checking = EnginePool['check']

/** An engine whose runs do what the test says; for what cannot be provoked in the real one. */
export interface FakeEngine extends EnginePool {
  tasks: EngineTask[]
  /** Behaviour of the next runs, in order; the last one applies to all further runs. */
  behave(...behaviours: Behaviour[]): void
  /** The same of free checks, which find nothing unless told. */
  behaveInChecks(...checkings: Checking[]): void
  /**
   * Waits until as many tasks have begun; a generation is under way a little before its task is.
   */
  began(count: number): Promise<void>
}

const file = (label: string, content: string, extension: 'png' | 'webp' = 'png') => ({
  label,
  contentType: `image/${extension}`,
  extension,
  width: 40,
  height: 30,
  bytes: new TextEncoder().encode(content),
})

/** A run that succeeds at once. */
export const succeed: Behaviour = async (task, { onProgress }) => {
  onProgress?.('generating', 0.5)
  return {
    outputs: [file('', `output of ${JSON.stringify(task.params)}`)],
    thumbnail: file('', 'thumbnail', 'webp'),
    kept: task.kept ? [] : [file('alpha', 'layer')],
    warnings: ['low_resolution'],
    facts: {},
    inputSizes: {},
  }
}

/** A check of inputs in which nothing is found. */
export const findNothing: Checking = async () => ({ warnings: [], problems: [], facts: {} })

/** A run or a check that fails with a code. */
export const fail = (code: ConstructorParameters<typeof EngineError>[0]) => async (): Promise<never> => {
  throw new EngineError(code)
}

/** A run that goes on until it is stopped from outside. */
export const hang = (_task: EngineTask, { signal }: EngineRunOptions): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** A run that waits for the gate, and then does as told. */
export function gate(then: Behaviour = succeed): { behaviour: Behaviour; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    behaviour: async (task, options) => {
      await Promise.race([promise, hang(task, options)])
      return then(task, options)
    },
    open: resolve,
  }
}

/** The task with the bytes of its inputs, which may be gone when a test looks at them. */
async function withContent(task: EngineTask): Promise<EngineTask> {
  const inputs = Object.entries(task.inputs).map(async ([name, files]) => {
    const read = files.map(async (file) => {
      return { ...file, bytes: 'bytes' in file ? file.bytes : await readFile(file.path) }
    })
    return [name, await Promise.all(read)] as const
  })
  return { ...task, inputs: Object.fromEntries(await Promise.all(inputs)) }
}

export function createFakeEngine(size = 2): FakeEngine {
  const tasks: EngineTask[] = []
  let behaviours: Behaviour[] = [succeed]
  let checkings: Checking[] = [findNothing]
  return {
    lanes: { interactive: size, pictures: size, video: size, video_check: 1 },
    tasks,
    behave(...given) {
      behaviours = given
    },
    behaveInChecks(...given) {
      checkings = given
    },
    began: (count) => vi.waitFor(() => expect(tasks.length).toBeGreaterThanOrEqual(count), { timeout: 300_000 }),
    async run(task, options) {
      options.signal?.throwIfAborted()
      tasks.push(await withContent(task))
      const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0]
      return (behaviour as Behaviour)(task, options)
    },
    async check(task, options) {
      options.signal?.throwIfAborted()
      const checking = checkings.length > 1 ? checkings.shift() : checkings[0]
      return (checking as Checking)(task, options)
    },
    prepare: async () => [],
    async close() {},
  }
}
