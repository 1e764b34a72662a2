import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createNetworkProcess,
  type NetworkProcess,
  type NetworkProcessOptions,
} from '#engine/node/networks/network-process.ts'
import type { EncodedTask } from '#engine/node/task-files.ts'
import type { CatalogueModel, JobReport, ModelCatalogue, Provider } from '../provider.ts'
import { downloadObjection, fetchModel } from './fetch-model.ts'
import { type ModelEntry, manifest, sizeOf, trustsFirstDownload } from './manifest.ts'
import type { ModelJob } from './model-worker.ts'
import { entryOf, findDamage, findInstalled, removeModel } from './models-dir.ts'

interface OnnxOptions extends NetworkProcessOptions {
  modelsDir: string
  /** Of one network. */
  threads: number
}

/**
 * In manifest order; missing models can do nothing yet. They share one process, except those of
 * videos, which take minutes.
 */
export function createOnnxProviders(options: OnnxOptions): { providers: Provider[]; close(): Promise<void> } {
  const open = () => createNetworkProcess<ModelJob, EncodedTask>(new URL('./model-worker.ts', import.meta.url), options)
  const [pictures, videos] = [open(), open()]
  const processOf = ({ task }: ModelEntry) => (task === 'videoMatte' ? videos : pictures)
  return {
    providers: manifest.map((entry) => onnxProvider(entry, options, processOf(entry))),
    close: async () => void (await Promise.all([pictures.close(), videos.close()])),
  }
}

function onnxProvider(
  entry: ModelEntry,
  { modelsDir, threads }: OnnxOptions,
  models: NetworkProcess<ModelJob, EncodedTask>,
): Provider {
  interface Job {
    result: Promise<JobReport>
    cancel: AbortController
    onProgress?: ((share: number) => void) | undefined
  }
  const jobs = new Map<string, Job>()
  return {
    id: entry.name,
    // A stalled network is stopped long before.
    timeLimit: 3600,
    tasks: async () => ((await findInstalled(modelsDir, entry)) ? [entry.task] : []),
    isBetter: async () => (await findInstalled(modelsDir, entry))?.better ?? entry.better === true,
    accepts: ({ data }) => !entry.subjects || entry.subjects.includes(data.subject as 'person' | 'thing'),
    async submit({ reference, files, data }) {
      const model = await findInstalled(modelsDir, entry)
      if (!model) throw new Error(`${entry.name} is not installed`)
      const cancel = new AbortController()
      const job = { family: entry.family, files: model.files, work: { files, data }, threads }
      const onProgress = (share: number) => jobs.get(reference)?.onProgress?.(share)
      const result = models.run(job, cancel.signal, onProgress).then(
        (made: EncodedTask): JobReport => ({ state: 'done', result: made }),
        (error: unknown): JobReport => ({
          state: 'failed',
          reason: String(error instanceof Error ? error.message : error),
        }),
      )
      jobs.set(reference, { result, cancel })
      return reference
    },
    async poll({ externalId: id }, signal, onProgress) {
      const job = jobs.get(id)
      if (!job) return { state: 'lost' }
      job.onProgress = onProgress
      const aborted = Promise.withResolvers<never>()
      const abort = () => {
        job.cancel.abort(signal.reason)
        aborted.reject(signal.reason)
      }
      if (signal.aborted) abort()
      signal.addEventListener('abort', abort, { once: true })
      try {
        return await Promise.race([job.result, aborted.promise])
      } finally {
        signal.removeEventListener('abort', abort)
        jobs.delete(id)
      }
    },
    find: async ({ reference }) => (jobs.has(reference) ? reference : undefined),
    async cancel({ externalId: id }) {
      jobs.get(id)?.cancel.abort(new Error('cancelled'))
      jobs.delete(id)
    },
    async health() {
      const model = await findInstalled(modelsDir, entry)
      if (!model) return { ok: true, detail: 'not installed' }
      const damage = await findDamage(model)
      const whose = model.own ? ', a file of your own' : ''
      return { ok: !damage, detail: damage ?? `added ${model.addedAt.slice(0, 10)}${whose}` }
    },
  }
}

/** Written to the folder, so that every process can read it. */
interface DownloadProgress {
  progress: number
  failure?: string
}

/** Milliseconds between progress records. */
const progressIntervalMs = 500

export function createModelCatalogue(modelsDir: string): ModelCatalogue {
  const pathOf = (name: string) => join(modelsDir, `.${name}.coming.json`)
  const note = async (name: string, coming: DownloadProgress) => {
    await mkdir(modelsDir, { recursive: true })
    await writeFile(pathOf(name), JSON.stringify(coming))
  }
  const read = async (name: string): Promise<DownloadProgress | undefined> => {
    try {
      return JSON.parse(await readFile(pathOf(name), 'utf8')) as DownloadProgress
    } catch {
      return undefined
    }
  }
  return {
    list: () =>
      Promise.all(
        manifest.map(async (entry): Promise<CatalogueModel> => {
          const { name, title, task, licence, quality = null, improves = null, recommended = false } = entry
          const [installed, coming] = [await findInstalled(modelsDir, entry), await read(name)]
          return {
            name,
            title,
            task,
            quality,
            improves,
            recommended,
            licence: licence.name,
            remark: licence.remark ?? null,
            objection: downloadObjection(entry, false) ?? null,
            trustsFirstDownload: trustsFirstDownload(entry),
            size: sizeOf(entry) || null,
            installed: installed !== undefined,
            progress: coming && !coming.failure ? coming.progress : null,
            failure: coming?.failure ?? null,
          }
        }),
      ),
    announce: (name) => note(entryOf(name).name, { progress: 0 }),
    async add(name, signal) {
      const entry = entryOf(name)
      let last = 0
      const onProgress = (bytes: number, of: number) => {
        if (performance.now() - last < progressIntervalMs) return
        last = performance.now()
        void note(name, { progress: of ? bytes / of : 0 }).catch(() => {})
      }
      try {
        await fetchModel(modelsDir, entry, { onProgress, signal })
        await rm(pathOf(name), { force: true })
      } catch (error) {
        await note(name, { progress: 0, failure: error instanceof Error ? error.message : String(error) })
        throw error
      }
    },
    async remove(name) {
      await rm(pathOf(entryOf(name).name), { force: true })
      return removeModel(modelsDir, name)
    },
  }
}
