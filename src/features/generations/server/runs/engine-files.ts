import type { FileStore } from '#server/storage/store.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import type { EngineInput, KeptFile } from '#tools/threads/task.ts'
import type { GenerationFile } from '../history/views.ts'

interface StoredFile {
  storageKey: string
  contentType: string
  width: number
  height: number
}

/**
 * Lends the stored inputs of a run to the engine as paths: every input of the tool by its name, in
 * the order given.
 */
export function withEngineInputs<Result>(
  store: FileStore,
  tool: AnyTool,
  files: readonly (StoredFile & { input: string; seconds: number })[],
  use: (inputs: Record<string, EngineInput[]>) => Promise<Result>,
): Promise<Result> {
  return withPaths(store, files, (lent) => {
    const inputs = Object.entries(tool.inputs).map(([name, { kind }]) => {
      const its = lent.filter(({ input }) => input === name)
      const engineInputs = its.map(({ path, contentType, width, height, seconds }): EngineInput => {
        return { kind, path, contentType, width, height, seconds }
      })
      return [name, engineInputs] as const
    })
    return use(Object.fromEntries(inputs))
  })
}

/** Lends what was kept of a run. */
export function withKeptFiles<Result>(
  store: FileStore,
  files: readonly GenerationFile[],
  use: (kept: KeptFile[]) => Promise<Result>,
): Promise<Result> {
  const kept = files.filter(({ role }) => role === 'kept')
  return withPaths(store, kept, (lent) =>
    use(lent.map(({ path, label, contentType }): KeptFile => ({ path, label, contentType }))),
  )
}

/** The files that a generation was given, in order. */
export function inputsOf(files: readonly GenerationFile[]): (GenerationFile & { input: string })[] {
  return files
    .filter(({ role }) => role === 'input')
    .toSorted((a, b) => a.position - b.position)
    .map((file) => ({ ...file, input: file.label }))
}

function withPaths<File extends StoredFile, Result>(
  store: FileStore,
  [file, ...others]: readonly File[],
  use: (files: (File & { path: string })[]) => Promise<Result>,
): Promise<Result> {
  if (!file) return use([])
  return store.withPath(file.storageKey, (path) =>
    withPaths(store, others, (lent) => use([{ ...file, path }, ...lent])),
  )
}
