/** The device cannot read a file: it was changed, moved, removed, or lost by the browser. */
export class UnreadableFile extends Error {
  constructor(options?: ErrorOptions) {
    super('The file on this device cannot be read', options)
    this.name = 'UnreadableFile'
  }
}

/** Bytes read at a time: whole videos exceed the memory of a small phone. */
const copyBytes = 4 << 20

/** Throws UnreadableFile, also when fewer bytes are left than the file claims. */
export async function readBytes(file: Blob, start = 0, end = file.size): Promise<ArrayBuffer> {
  const bytes = await file
    .slice(start, end)
    .arrayBuffer()
    .catch((cause: unknown) => {
      throw new UnreadableFile({ cause })
    })
  if (bytes.byteLength !== end - start) throw new UnreadableFile()
  return bytes
}

const copies = new WeakSet<Blob>()

/**
 * Copies the bytes, because a picked file refers to a place that a gallery, a sync app or the user
 * may change before it is sent. Throws UnreadableFile.
 */
export async function copyFile(file: File): Promise<File>
export async function copyFile(file: Blob & { name?: string }): Promise<Blob & { name?: string }>
export async function copyFile(file: Blob & { name?: string }): Promise<Blob> {
  if (copies.has(file)) return file
  const parts: Blob[] = []
  for (let start = 0; start < file.size; start += copyBytes) {
    parts.push(new Blob([await readBytes(file, start, Math.min(start + copyBytes, file.size))]))
  }
  const { name, type } = file
  const copy =
    file instanceof File
      ? new File(parts, file.name, file)
      : Object.assign(new Blob(parts, { type }), name !== undefined && { name })
  copies.add(copy)
  return copy
}

/** Reads only both ends: a missing or changed file fails there too, at any size. */
export async function isReadable(file: Blob | undefined, bytes: number): Promise<boolean> {
  if (file?.size !== bytes) return false
  if (bytes === 0) return true
  return await Promise.all([readBytes(file, 0, 1), readBytes(file, bytes - 1, bytes)]).then(
    () => true,
    () => false,
  )
}
