import { StorageTimeout } from '#client/device/device-store.ts'
import type { UploadFiles, UploadItem } from './item.ts'
import type { UploadStore } from './store.ts'

/**
 * Uploads of a page: on the device as long as that responds, else in the page's memory. What the
 * page had put on a device that stops responding goes on from memory, under the same keys, so that
 * it still arrives once.
 */
export function pageUploads(device: UploadStore, memory: UploadStore): UploadStore {
  const copies = new Map<string, { item: UploadItem; files: UploadFiles }>()
  let responds: Promise<boolean> | undefined

  /** What has become of an upload on the device, whoever sent or changed it. */
  function note(id: string, item: UploadItem | undefined): void {
    const copy = copies.get(id)
    if (copy && item && item.state !== 'sent') copy.item = item
    else copies.delete(id)
  }

  async function checkDevice(): Promise<boolean> {
    try {
      await device.list()
      return true
    } catch (error) {
      // A page that was put away meanwhile asks again when it is back.
      if (error instanceof DOMException && error.name === 'AbortError') responds = undefined
      return false
    }
  }

  async function moveToMemory(): Promise<void> {
    responds = Promise.resolve(false)
    const lost = [...copies.values()]
    copies.clear()
    // The device may have them still, and another page may send them.
    await Promise.all(lost.map(({ item, files }) => memory.add({ ...item, uncertain: true }, files)))
  }

  /** Uses the device, or else the memory. */
  async function use<Result>(onDevice: () => Promise<Result>, inMemory: () => Promise<Result>): Promise<Result> {
    responds ??= checkDevice()
    if (!(await responds)) return inMemory()
    try {
      return await onDevice()
    } catch (error) {
      if (!(error instanceof StorageTimeout)) throw error
      await moveToMemory()
      return inMemory()
    }
  }

  /** What the memory has, or else the device, which may turn out not to respond. */
  async function read<Found>(from: (store: UploadStore) => Promise<Found | undefined>): Promise<Found | undefined> {
    const inMemory = () => from(memory)
    return (await inMemory()) ?? use(() => from(device), inMemory)
  }

  return {
    async add(item, files) {
      const keep = async () => {
        await device.add(item, files)
        copies.set(item.id, { item, files })
      }
      // A device without room keeps nothing more, but what it has can still be read.
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

    find: (id) => read((store) => store.find(id)),
    files: (id) => read((store) => store.files(id)),

    async change(id, decide) {
      if (await memory.find(id)) return memory.change(id, decide)
      const changeOnDevice = async () => {
        const after = await device.change(id, decide)
        note(id, after)
        return after
      }
      return use(changeOnDevice, () => memory.change(id, decide))
    },
  }
}
