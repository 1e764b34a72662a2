const [endSignature, entrySignature] = [0x06054b50, 0x02014b50]
const endBytes = 22
const maxComment = 65_535
const maxEntries = 2000
/** Bytes of one unpacked file: the largest upload is a video of 100 MB. */
const maxFileBytes = 128 * 1024 * 1024

interface Entry {
  method: number
  packed: number
  bytes: number
  at: number
}

/**
 * Reads the directory of a ZIP (APPNOTE 6.3, without ZIP64) and returns a reader of its files by
 * name; null for a file that is missing or damaged. Rejects if it is no ZIP.
 */
export async function readZip(zip: Blob): Promise<(name: string) => Promise<Blob | null>> {
  const tailAt = Math.max(0, zip.size - endBytes - maxComment)
  const tail = new DataView(await zip.slice(tailAt).arrayBuffer())
  let end = tail.byteLength - endBytes
  while (end >= 0 && tail.getUint32(end, true) !== endSignature) end -= 1
  if (end < 0) throw new Error('the file is not a ZIP')
  const count = tail.getUint16(end + 10, true)
  const [size, from] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)]
  if (count > maxEntries || from + size > zip.size) throw new Error('the directory of the ZIP is wrong')
  const directory = new DataView(await zip.slice(from, from + size).arrayBuffer())
  const entries = new Map<string, Entry>()
  for (let at = 0, left = count; left > 0 && at + 46 <= directory.byteLength; left--) {
    if (directory.getUint32(at, true) !== entrySignature) throw new Error('the directory of the ZIP is wrong')
    const nameLength = directory.getUint16(at + 28, true)
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + 46, nameLength))
    entries.set(name, {
      method: directory.getUint16(at + 10, true),
      packed: directory.getUint32(at + 20, true),
      bytes: directory.getUint32(at + 24, true),
      at: directory.getUint32(at + 42, true),
    })
    at += 46 + nameLength + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true)
  }
  return async (name) => {
    const entry = entries.get(name)
    return entry ? await unpack(zip, entry).catch(() => null) : null
  }
}

async function unpack(zip: Blob, { method, packed, bytes, at }: Entry): Promise<Blob | null> {
  if (bytes > maxFileBytes) return null
  const local = new DataView(await zip.slice(at, at + 30).arrayBuffer())
  const from = at + 30 + local.getUint16(26, true) + local.getUint16(28, true)
  const data = zip.slice(from, from + packed)
  const file = method === 0 ? new Blob([await data.arrayBuffer()]) : method === 8 ? await inflate(data, bytes) : null
  return file?.size === bytes ? file : null
}

/** Stops once there is more than the directory says. */
async function inflate(data: Blob, bytes: number): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let total = 0
  const reader = data.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts)
    total += value.byteLength
    if (total > bytes) throw new Error('the file is larger than the ZIP says')
    parts.push(value)
  }
}
