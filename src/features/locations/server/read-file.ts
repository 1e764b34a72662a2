import { EngineError } from '#engine/error.ts'
import type { AddedLocationId } from '#engine/scenes.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { EnginePool } from '#tools/threads/pool.ts'
import type { EngineOutput } from '#tools/threads/task.ts'

/** Milliseconds of processor time for decoding a file. */
const timeLimit = 60_000

/**
 * Decodes a file of a location in a process of its own, so that a hostile one can crash or fill
 * nothing else. Resolves to the file to keep and its sample; throws the refusal.
 */
export async function readLocationFile(
  { engine }: Pick<Deps, 'engine'>,
  { path, exposure }: { path: string; exposure: number },
): Promise<{ file: EngineOutput; sample: EngineOutput }> {
  const task = {
    step: 'location' as const,
    tool: '',
    params: {},
    inputs: {},
    // No stored version is 0, so no thread remembers it as one.
    locations: [{ id: `added-${crypto.randomUUID()}` as AddedLocationId, version: 0, exposure, path }],
  }
  const own = engine ? undefined : await openPool()
  try {
    const { outputs } = await ((engine ?? own) as EnginePool).run(task, { lane: 'video_check', timeLimit })
    const [file, sample] = outputs
    if (!file || !sample) throw new TypeError('a location has no file')
    return { file, sample }
  } catch (error) {
    throw error instanceof EngineError ? appError(error.code, { cause: error }) : error
  } finally {
    await own?.close()
  }
}

/** Of a process that only answers requests, or of a command. */
async function openPool(): Promise<EnginePool> {
  const { createEnginePool } = await import('#tools/threads/pool.ts')
  return createEnginePool({ size: 1, entry: new URL('../../../tools/engine-thread.ts', import.meta.url) })
}
