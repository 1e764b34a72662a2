import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CatalogueModel, ModelCatalogue } from '../model-catalogue.ts'
import { downloadObjection, fetchModel } from './fetch-model.ts'
import { manifest, sizeOf, trustsFirstDownload } from './manifest.ts'
import { entryOf, findInstalled, removeModel } from './models-dir.ts'

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
