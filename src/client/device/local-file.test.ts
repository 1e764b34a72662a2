import { expect, test } from 'vitest'
import { copyFile, isReadable, readBytes, UnreadableFile } from './local-file.ts'

/** A picked file whose place changes: reads fail or come short afterwards. */
class PickedFile extends File {
  fault: 'none' | 'gone' | 'short' = 'none'
  override slice(start?: number, end?: number, type?: string): Blob {
    const part = super.slice(start, this.fault === 'short' ? Math.min(end ?? this.size, 3) : end, type)
    if (this.fault === 'gone') part.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'))
    return part
  }
}

const picked = () => new PickedFile(['bytes of a photo'], 'foto.jpg', { type: 'image/jpeg', lastModified: 7 })

test('a copied file keeps bytes, name, type and time whatever happens to its place', async () => {
  const file = picked()
  const copy = await copyFile(file)
  file.fault = 'gone'
  expect(await copy.text()).toBe('bytes of a photo')
  expect([copy.name, copy.type, copy.lastModified]).toEqual(['foto.jpg', 'image/jpeg', 7])
  // A copy needs no other one.
  expect(await copyFile(copy)).toBe(copy)
})

test('a large file is copied whole, piece by piece', async () => {
  const bytes = new Uint8Array(9 << 20).map((_, index) => index >> 12)
  const copy = await copyFile(new File([bytes], 'video.mp4'))
  expect(Buffer.from(await copy.arrayBuffer()).equals(bytes)).toBe(true)
})

test.each(['gone', 'short'] as const)(
  'a file that is %s is unreadable, and never mistaken for another fault',
  async (fault) => {
    const file = picked()
    file.fault = fault
    await expect(copyFile(file)).rejects.toThrow(UnreadableFile)
    await expect(readBytes(file)).rejects.toThrow(UnreadableFile)
    expect(await isReadable(file, file.size)).toBe(false)
  },
)

test('a stored file counts only with all the bytes that it had', async () => {
  expect(await isReadable(new Blob(['1234']), 4)).toBe(true)
  expect(await isReadable(new Blob(), 0)).toBe(true)
  for (const blob of [new Blob(['123']), new Blob(), undefined]) expect(await isReadable(blob, 4)).toBe(false)
})
