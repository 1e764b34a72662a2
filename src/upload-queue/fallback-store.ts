import { isStorageLost } from '#client/device/device-store.ts'
import { UnreadableFile } from '#client/device/local-file.ts'
import { findLostFiles, type UploadFiles, type UploadItem, type UploadStore } from './store.ts'

export function memoryStore(): UploadStore {
  const items = new Map<string, UploadItem>()
  const bytes = new Map<string, UploadFiles>()
  return {
    async add(item, files) {
      items.set(item.id, { ...item, inMemory: true })
      bytes.set(item.id, files)
    },
    list: async () => [...items.values()].sort((a, b) => a.createdAt - b.createdAt),
    files: async (id) => bytes.get(id),
    async change(id, decide, files) {
      const before = items.get(id)
      if (!before) return undefined
      const change = decide(before)
      const after = change === 'delete' ? undefined : (change ?? before)
      if (after) items.set(id, after)
      else items.delete(id)
      if (!after || after.state === 'sent') bytes.delete(id)
      else if (change && files) bytes.set(id, files)
      return after
    },
  }
}

/**
 * Uses memory when the device's storage stops responding. Items continue under the same keys, so
 * that they still arrive once. `onLost` is called when a storage that responded has failed.
 */
export function fallbackStore(device: UploadStore, memory: UploadStore, onLost = () => {}): UploadStore {
  const copies = new Map<string, { item: UploadItem; files: UploadFiles }>()
  let responds: Promise<boolean> | undefined

  function note(id: string, item: UploadItem | undefined, files?: UploadFiles): void {
    const copy = copies.get(id)
    if (copy && item && item.state !== 'sent') copies.set(id, { item, files: files ?? copy.files })
    else copies.delete(id)
  }

  async function checkDevice(): Promise<boolean> {
    try {
      await device.list()
      return true
    } catch (error) {
      // A page that was suspended meanwhile checks again when it resumes.
      if (error instanceof DOMException && error.name === 'AbortError') responds = undefined
      return false
    }
  }

  async function moveToMemory(): Promise<void> {
    responds = Promise.resolve(false)
    const lost = [...copies.values()]
    copies.clear()
    // The device may still hold them, and another page may send them.
    await Promise.all(lost.map(({ item, files }) => memory.add({ ...item, uncertain: true }, files)))
  }

  async function use<Result>(onDevice: () => Promise<Result>, inMemory: () => Promise<Result>): Promise<Result> {
    responds ??= checkDevice()
    if (!(await responds)) return inMemory()
    try {
      return await onDevice()
    } catch (error) {
      if (!isStorageLost(error)) throw error
      await moveToMemory()
      onLost()
      return inMemory()
    }
  }

  return {
    async add(item, files) {
      const keep = async () => {
        await device.add(item, files)
        // Some browsers confirm the write of a file that they cannot read again.
        if ((await findLostFiles(device, item)).length > 0) {
          await device.change(item.id, () => 'delete')
          throw new UnreadableFile()
        }
        copies.set(item.id, { item, files })
      }
      // A full device accepts nothing new, but its items are readable.
      await use(keep, () => memory.add(item, files)).catch(() => memory.add(item, files))
    },

    async list() {
      const listDevice = async () => {
        const items = await device.list()
        const byId = new Map(items.map((item) => [item.id, item]))
        for (const id of copies.keys()) note(id, byId.get(id))
        return items
      }
      const onDevice = await use(listDevice, async () => [])
      return [...onDevice, ...(await memory.list())].sort((a, b) => a.createdAt - b.createdAt)
    },

    async files(id) {
      const inMemory = () => memory.files(id)
      return (await inMemory()) ?? use(() => device.files(id), inMemory)
    },

    async change(id, decide, files) {
      const inMemory = () => memory.change(id, decide, files)
      const onDevice = async () => {
        const after = await device.change(id, decide, files)
        note(id, after, files)
        return after
      }
      const held = (await memory.list()).some((item) => item.id === id)
      return held ? inMemory() : use(onDevice, inMemory)
    },
  }
}
