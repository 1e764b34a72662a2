import { readFile } from 'node:fs/promises'
import { expect, vi } from 'vitest'
import { EngineError } from '#engine/error.ts'
import type { EnginePool } from '#tools/threads/pool.ts'
import type { EngineOutcome, EngineRunOptions, EngineTask } from '#tools/threads/task.ts'

type Behaviour = (task: EngineTask, options: EngineRunOptions) => Promise<EngineOutcome>
type Checking = EnginePool['check']

/** For outcomes that cannot be provoked in the real engine. */
export interface FakeEngine extends EnginePool {
  tasks: EngineTask[]
  /** Of the next generations, in order; the last one repeats. */
  behave(...behaviours: Behaviour[]): void
  behaveInChecks(...checkings: Checking[]): void
  /** A task begins a little after its generation. */
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

export const succeed: Behaviour = async (task, { onProgress }) => {
  if (task.step === 'location') {
    return {
      outputs: [file('photo', 'photo'), file('sample', 'sample')],
      kept: [],
      warnings: [],
      facts: {},
      inputSizes: {},
    }
  }
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

export const findNothing: Checking = async () => ({ warnings: [], problems: [], facts: {} })

export const fail = (code: ConstructorParameters<typeof EngineError>[0]) => async (): Promise<never> => {
  throw new EngineError(code)
}

export const hang = (_task: EngineTask, { signal }: EngineRunOptions): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** Waits for the gate. */
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

/** The inputs may be gone when a test looks at them. */
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
