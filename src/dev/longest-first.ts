import { basename } from 'node:path'
import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node'

/** Files that take longest, most of them waiting for servers that they start, longest first. */
const longest = [
  'run-crash',
  'models',
  'fleet',
  'backup',
  'account-mail',
  'generated-options',
  'server-process',
  'event-loop',
  'comfyui',
  'hosted-providers',
  'generations-preview',
  'jobs',
  'server-database',
  'crash',
  'account-flood',
  'video',
  'video-malformed',
  'billing-crash',
  'server-roles',
  'development',
]

function place({ moduleId }: TestSpecification): number {
  const index = longest.indexOf(basename(moduleId, '.test.ts'))
  return index < 0 ? longest.length : index
}

/**
 * The order of the test files. Without an earlier run to go by, Vitest begins with those that are
 * large in bytes, and one that takes a minute would begin last, beside idle workers.
 */
export class LongestFirst implements TestSequencer {
  readonly #vitest: Vitest

  constructor(vitest: Vitest) {
    this.#vitest = vitest
  }

  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await (await this.#usual()).sort(files)
    const projects = [...new Set(usual.map(({ project }) => project.name))]
    const before = (a: TestSpecification, b: TestSpecification) =>
      projects.indexOf(a.project.name) - projects.indexOf(b.project.name) || place(a) - place(b)
    return usual.toSorted(before)
  }

  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await this.#usual()).shard(files)
  }

  /** The build reads the configuration too, and goes without all of Vitest. */
  async #usual(): Promise<TestSequencer> {
    const { BaseSequencer } = await import('vitest/node')
    return new BaseSequencer(this.#vitest)
  }
}
